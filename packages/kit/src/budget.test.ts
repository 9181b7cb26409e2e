import { expect, test, vi } from 'vitest';
import { Budget } from './budget.ts';

const one = { of: 'one', most: 60 };
const other = { of: 'other', most: 60 };

test('each owner takes up to its own bound, and all take up to that of all', () => {
  const budget = new Budget(100);
  expect(budget.take([one], 50)).toBeTypeOf('function');
  expect(budget.take([one], 11)).toBeUndefined();
  expect(budget.take([one], 10)).toBeTypeOf('function');
  expect(budget.take([other], 41)).toBeUndefined();
  expect(budget.take([other], 40)).toBeTypeOf('function');
  expect(budget.total).toBe(100);
});

test('what is larger than all room is taken where nothing else is held, and nothing beside it', () => {
  const budget = new Budget(100);
  const giveBack = budget.take([one], 1_000);
  expect(budget.take([one], 1)).toBeUndefined();
  expect(budget.take([other], 1)).toBeUndefined();
  giveBack?.();
  expect(budget.take([other], 1)).toBeTypeOf('function');
});

test('an amount counts against each of its owners, and where one lacks room nothing is taken', () => {
  const budget = new Budget();
  const wide = { of: 'wide', most: 2 };
  const giveBack = budget.take([one, wide]);
  budget.take([other, wide]);
  expect(budget.take([{ of: 'third', most: 1 }, wide])).toBeUndefined();
  expect(budget.total).toBe(2);
  giveBack?.();
  expect(budget.take([{ of: 'third', most: 1 }, wide])).toBeTypeOf('function');
});

test('who lacks room is named, an owner before all', () => {
  const budget = new Budget(100);
  budget.take([one], 60);
  budget.take([other], 40);
  expect(budget.lacking([one], 1)).toBe(one);
  expect(budget.lacking([{ of: 'third', most: 1 }], 1)).toBe('all');
  expect(budget.lacking([], 0)).toBeUndefined();
});

test('what cannot be refused is counted above the bounds, and keeps others out', () => {
  const budget = new Budget(100);
  const giveBacks = [budget.add([one], 90), budget.add([one], 90)];
  expect(budget.total).toBe(180);
  expect(budget.take([other], 1)).toBeUndefined();
  giveBacks[0]?.();
  expect(budget.take([other], 10)).toBeTypeOf('function');
});

test('an amount is given back once, and whoever waits is told then', () => {
  const budget = new Budget(100);
  const onFreed = vi.fn<() => void>();
  budget.onFreed(onFreed);
  const giveBack = budget.take([one], 60);
  expect(onFreed).not.toHaveBeenCalled();
  giveBack?.();
  giveBack?.();
  expect([budget.total, budget.take([one], 60)]).toEqual([0, expect.any(Function)]);
  expect(onFreed).toHaveBeenCalledOnce();
});
