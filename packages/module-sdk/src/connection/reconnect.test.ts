import { expect, test } from 'vitest';
import { retryDelayMs } from './reconnect.ts';

const delays = (code: number, random: number, handingOver = false) =>
  [0, 1, 2, 3, 4, 5, 6, 2_000].map((failures) =>
    retryDelayMs(code, { failures, handingOver, random: () => random }),
  );

test.each([1003, 1006, 1009, 1012, 4000, 4003, 4999])('%i doubles its bound up to 30 s', (code) => {
  expect(delays(code, 1)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('backing off has full jitter', () => {
  expect(delays(1006, 0)).toEqual(Array(8).fill(0));
  expect(delays(1006, 0.5)[3]).toBe(4_000);
});

test('while our old socket still serves, backing off never takes longer than 2 s', () => {
  expect(delays(1006, 1, true)).toEqual([1_000, ...Array(7).fill(2_000)]);
});

test('a duplicate tries every 30 s, and soon where it is our own old socket', () => {
  expect(delays(4004, 0.5)).toEqual(Array(8).fill(30_000));
  expect(delays(4004, 0.5, true)).toEqual(Array(8).fill(1_000));
});
