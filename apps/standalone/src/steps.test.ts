import { expect, test } from 'vitest';
import { createSteps } from './steps.ts';

test('a step is named while it runs, and its time follows, also where it fails', async () => {
  let text = '';
  const steps = createSteps({ write: (more) => (text += more) });
  expect(
    await steps.run('Building', () => {
      expect(text).toBe('  Building …');
      return 7;
    }),
  ).toBe(7);
  expect(text).toMatch(/^ {2}Building … \d+\.\d s\n$/);
  await expect(steps.run('Starting', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(text).toMatch(/\n {2}Starting … \d+\.\d s\n$/);
});

test('on a terminal the line is written anew', async () => {
  let text = '';
  await createSteps({ isTTY: true, write: (more) => (text += more) }).run('Building', () => undefined);
  expect(text.split('\r\u001b[K')).toEqual([
    '  Building …',
    expect.stringMatching(/^ {2}Building … \d+\.\d s\n$/),
  ]);
});
