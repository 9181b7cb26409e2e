import { expect, test } from 'vitest';
import { createSampling } from './call-log.ts';

/** Makes calls of accounts in one second; what each account's rows stand for, and how many rows there are. */
function runSecond(
  sampling: ReturnType<typeof createSampling>,
  calls: Readonly<Record<string, number>>,
): { rows: number; stoodFor: Record<string, number> } {
  const result = { rows: 0, stoodFor: {} as Record<string, number> };
  const left = new Map(Object.entries(calls));
  while (left.size > 0) {
    for (const [account, count] of left) {
      const standsFor = sampling.weigh(account, false);
      if (standsFor > 0) result.rows++;
      result.stoodFor[account] = (result.stoodFor[account] ?? 0) + standsFor;
      if (count > 1) left.set(account, count - 1);
      else left.delete(account);
    }
  }
  return result;
}

function createClocked(rowsPerSecond: number) {
  let now = 1_000_000;
  return { sampling: createSampling(rowsPerSecond, () => now), nextSecond: () => (now += 1_000) };
}

test('every call has a row while there are no more than an instance records', () => {
  const { sampling, nextSecond } = createClocked(100);
  for (let second = 0; second < 3; second++, nextSecond())
    expect(runSecond(sampling, { a: 60, b: 40 })).toEqual({ rows: 100, stoodFor: { a: 60, b: 40 } });
});

test('above it a sample has rows that stand for all', () => {
  const { sampling, nextSecond } = createClocked(100);
  runSecond(sampling, { a: 10_000 });
  nextSecond();
  const { rows, stoodFor } = runSecond(sampling, { a: 10_000 });
  expect(rows).toBeLessThanOrEqual(100);
  expect(stoodFor['a']).toBe(10_000);
});

test('a burst that nothing announced is bounded too', () => {
  const { sampling } = createClocked(100);
  expect(runSecond(sampling, { a: 10_000 }).rows).toBeLessThanOrEqual(100 + 10_000 / 20);
});

test('an account that makes few calls has a row for each, whatever another one does', () => {
  const { sampling, nextSecond } = createClocked(100);
  for (let second = 0; second < 3; second++, nextSecond())
    expect(runSecond(sampling, { loud: 10_000, quiet: 20 }).stoodFor['quiet']).toBe(20);
  const { rows } = runSecond(sampling, { loud: 10_000, quiet: 20 });
  expect(rows).toBeLessThanOrEqual(100);
});

test('a failure always has a row', () => {
  const { sampling, nextSecond } = createClocked(10);
  runSecond(sampling, { a: 10_000 });
  nextSecond();
  runSecond(sampling, { a: 10_000 });
  expect(Array.from({ length: 50 }, () => sampling.weigh('a', true))).toEqual(Array(50).fill(1));
});

test('an account within its share has a row for each call, also behind a burst that nothing announced', () => {
  const { sampling, nextSecond } = createClocked(100);
  expect(runSecond(sampling, { loud: 10_000 }).rows).toBe(100 + 9_900 / 20);
  const weighQuiet = (calls: number) => Array.from({ length: calls }, () => sampling.weigh('quiet', false));
  expect(weighQuiet(100)).toEqual(Array(100).fill(1));
  nextSecond();
  runSecond(sampling, { loud: 10_000, quiet: 20 });
  nextSecond();
  expect(weighQuiet(20)).toEqual(Array(20).fill(1));
});

test('the share of a second comes from the second before it alone', () => {
  const { sampling, nextSecond } = createClocked(100);
  runSecond(sampling, { loud: 10_000 });
  nextSecond();
  nextSecond();
  expect(runSecond(sampling, { loud: 100 })).toEqual({ rows: 100, stoodFor: { loud: 100 } });
});
