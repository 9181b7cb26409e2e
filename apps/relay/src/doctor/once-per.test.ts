import { expect, it, onTestFinished, vi } from 'vitest';
import { oncePer } from './once-per.ts';

it('is asked once at a time, and again when the answer is old enough', async () => {
  let now = 0;
  let asked = 0;
  const answers: ((text: string) => void)[] = [];
  const ask = oncePer(1_000, () => {
    asked++;
    return new Promise<string>((resolve) => answers.push(resolve));
  }, () => now); // prettier-ignore
  const both = [ask(), ask()];
  expect(asked).toBe(1);
  // An answer that took long is as new as one that came at once.
  now = 5_000;
  answers[0]?.('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  now = 5_999;
  expect(await ask()).toBe('first');
  expect(asked).toBe(1);
  now = 6_000;
  void ask();
  expect(asked).toBe(2);
});

it('a question that outlasts the time is not asked beside itself', () => {
  let now = 0;
  let asked = 0;
  const ask = oncePer(1_000, () => {
    asked++;
    return new Promise<never>(() => {});
  }, () => now); // prettier-ignore
  void ask();
  now = 60_000;
  void ask();
  expect(asked).toBe(1);
});

it('a failure is asked anew', async () => {
  let asked = 0;
  const ask = oncePer(1_000, async () => {
    asked++;
    return asked === 1 ? await Promise.reject(new Error('away')) : 'here';
  });
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe('here');
});

it('a clock that is set back keeps no answer for longer', async () => {
  vi.useFakeTimers({ now: 3_600_000, toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const ask = oncePer(1_000, () => Promise.resolve(++asked));
  expect(await ask()).toBe(1);
  vi.setSystemTime(0);
  vi.advanceTimersByTime(1_001);
  expect(await ask()).toBe(2);
});
