import { expect, test } from 'vitest';
import { ratioOf, showSpread, spreadOf } from './statistics.ts';

test('one bad round moves the most, not the median', () => {
  expect(spreadOf([2, 1, 90])).toEqual({ min: 1, median: 2, max: 90 });
});

test('of an even number of rounds the median lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 2, 3]).median).toBe(2.5);
});

test('a ratio compares rounds that were measured beside each other', () => {
  expect(ratioOf([2, 30, 9], [1, 10, 3])).toEqual({ min: 2, median: 3, max: 3 });
});

test('a single round is shown without a range', () => {
  expect(showSpread(spreadOf([1.26]))).toBe('1.3');
  expect(showSpread(spreadOf([1, 2, 3]), 0)).toBe('2 (1-3)');
});
