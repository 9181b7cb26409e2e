import { expect, it } from 'vitest';
import { createSocketRate } from './socket-rate.ts';

it('a socket may do something so often at once and per window, whatever another socket does', () => {
  let at = 0;
  const rate = createSocketRate({ max: 3, windowMs: 60_000 }, () => at);
  const socket = {};
  const spend = (times: number) => Array.from({ length: times }, () => rate.spend(socket).refusedInARow);
  expect(spend(5)).toEqual([0, 0, 0, 1, 2]);
  expect(rate.spend({}).refusedInARow).toBe(0);
  at = 20_000;
  expect(spend(2)).toEqual([0, 1]);
  at = 3_600_000;
  expect(spend(4)).toEqual([0, 0, 0, 1]);
});
