import { expect, test } from 'vitest';
import { createSteps } from './steps.ts';

test('a step is named while it runs and again with its time, in whole lines, also where it fails', async () => {
  let text = '';
  const steps = createSteps({ write: (more) => (text += more) });
  expect(
    await steps.run('Building', () => {
      expect(text).toBe('  Building …\n');
      text += '{"level":40}\n';
      return 7;
    }),
  ).toBe(7);
  expect(text).toMatch(/^ {2}Building …\n\{"level":40\}\n {2}Building … \d+\.\d s\n$/);
  await expect(steps.run('Starting', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(text).toMatch(/\n {2}Starting …\n {2}Starting … \d+\.\d s\n$/);
});

test('a step that is given up is told of no more, and ends its line', async () => {
  const giveUp = async (isTTY: boolean) => {
    let text = '';
    const steps = createSteps({ isTTY, write: (more) => (text += more) });
    await steps.run('Building', () => steps.giveUp());
    return text;
  };
  expect(await giveUp(false)).toBe('  Building …\n');
  expect(await giveUp(true)).toBe('  Building …\n');
});

test('on a terminal the line is written anew', async () => {
  let text = '';
  await createSteps({ isTTY: true, write: (more) => (text += more) }).run('Building', () => undefined);
  expect(text.split('\r\u001b[K')).toEqual([
    '  Building …',
    expect.stringMatching(/^ {2}Building … \d+\.\d s\n$/),
  ]);
});
