import { expect, test } from 'vitest';
import { readFilters, writeFilters } from './filters.ts';

test('filters survive the address bar', () => {
  const filters = { show: 'connections', world: 'abc', outcome: 'duplicate', time: 'week' } as const;
  expect(readFilters(writeFilters(filters))).toEqual(filters);
});

test('every kind of entry has an address of its own', () => {
  for (const show of ['connections', 'remote', 'account'] as const)
    expect(readFilters(writeFilters({ ...readFilters(''), show })).show).toBe(show);
});

test('no filters leave the address bar clean', () => {
  expect(writeFilters(readFilters(''))).toBe('');
});

test('an address that was tampered with filters by nothing it does not know', () => {
  expect(readFilters('?show=toString&time=constructor')).toEqual({
    show: 'all',
    world: '',
    outcome: '',
    time: 'all',
  });
});
