import { expect, it } from 'vitest';
import { retryDelayMs } from './send-notification.ts';

const delay = (attempt: number, retryAfterMs?: number, random = 0.5) =>
  retryDelayMs({ attempt, firstMs: 15_000, retryAfterMs, random: () => random });

it('a delay doubles up to two hours, with a quarter more or less at random', () => {
  expect([1, 2, 3, 9, 10, 500].map((attempt) => delay(attempt))).toEqual([
    15_000, 30_000, 60_000, 3_840_000, 7_200_000, 7_200_000,
  ]);
  expect([delay(1, undefined, 0), delay(1, undefined, 1)]).toEqual([11_250, 18_750]);
});

it('a receiver can ask for more time, and for six hours at most', () => {
  expect(delay(1, 90_000)).toBe(90_000);
  expect(delay(4, 1_000)).toBe(120_000);
  expect(delay(1, 10 ** 12)).toBe(21_600_000);
});

it('a day has some twenty attempts', () => {
  let sum = 0;
  let attempts = 0;
  while (sum < 86_400_000) sum += delay(++attempts);
  expect(attempts).toBeGreaterThan(15);
  expect(attempts).toBeLessThan(25);
});
