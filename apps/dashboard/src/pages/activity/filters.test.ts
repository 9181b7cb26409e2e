import { expect, test } from 'vitest';
import { readFilters, writeFilters } from './filters.ts';

test('filters survive the address bar', () => {
  const filters = {
    show: 'calls',
    world: 'abc',
    key: 'k1',
    operation: 'next-turn',
    outcome: 'client_offline',
    request: '01m8gj5nm6',
    time: 'week',
  } as const;
  expect(readFilters(writeFilters(filters))).toEqual(filters);
});

test('every kind of entry has an address of its own', () => {
  for (const show of ['calls', 'connections', 'remote', 'account'] as const)
    expect(readFilters(writeFilters({ ...readFilters(''), show })).show).toBe(show);
});

test('no filters leave the address bar clean', () => {
  expect(writeFilters(readFilters(''))).toBe('');
});

test('an address that was tampered with filters by nothing it does not know', () => {
  expect(readFilters('?show=toString&time=constructor')).toEqual({
    show: 'all',
    world: '',
    key: '',
    operation: '',
    outcome: '',
    request: '',
    time: 'all',
  });
});
