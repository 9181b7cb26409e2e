import { expect, test } from 'vitest';
import { createWindowCounts } from './window-counts.ts';

test('events count in the window that the first of them began', () => {
  let now = 1_000;
  const count = createWindowCounts(() => now);
  expect(count('a', 500)).toEqual({ count: 1, resetMs: 500 });
  now = 1_200;
  expect(count('a', 500)).toEqual({ count: 2, resetMs: 300 });
  expect(count('b', 500)).toEqual({ count: 1, resetMs: 500 });
  now = 1_500;
  expect(count('a', 500)).toEqual({ count: 1, resetMs: 500 });
});

test('of 50,000 keys the one whose window began first is forgotten for the next', () => {
  let now = 0;
  const count = createWindowCounts(() => now);
  for (let key = 0; key < 50_000; key++) count(`key ${key}`, 1_000);
  expect(count('key 0', 1_000).count).toBe(2);
  now = 1_000;
  // Its window begins anew, so it is now the youngest.
  expect(count('key 0', 1_000).count).toBe(1);
  now = 1_001;
  count('one more', 1_000);
  expect(count('key 0', 1_000).count).toBe(2);
  now = 999;
  expect(count('key 2', 1_000).count).toBe(2);
  expect(count('key 1', 1_000).count).toBe(1);
});

test('a key whose window begins again takes no other key’s place', () => {
  let now = 0;
  const count = createWindowCounts(() => now);
  count('oldest', 10_000);
  count('short', 1_000);
  for (let key = 2; key < 50_000; key++) count(`key ${key}`, 10_000);
  now = 1_000;
  expect(count('short', 1_000).count).toBe(1);
  expect(count('oldest', 10_000).count).toBe(2);
});
