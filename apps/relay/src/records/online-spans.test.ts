import { expect, test } from 'vitest';
import { spansOf } from './online-spans.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const spans = (...rows: [minute: number, outcome: string][]) =>
  spansOf(
    rows.map(([minute, outcome]) => ({ at: at(minute), outcome })),
    at(0),
  ).map(({ from, to }) => [new Date(from).getMinutes(), to === null ? null : new Date(to).getMinutes()]);

test('a connection lasts from its beginning to its end', () => {
  expect(spans([5, 'connected'], [9, 'disconnected'], [20, 'connected'])).toEqual([
    [5, 9],
    [20, null],
  ]);
});

test('a world whose first entry is its end was connected before', () => {
  expect(spans([5, 'disconnected'])).toEqual([[0, 5]]);
});

test('a beginning without an end before it goes on with the one that stands', () => {
  expect(spans([5, 'connected'], [9, 'connected'], [12, 'disconnected'])).toEqual([[5, 12]]);
});

test('a second end ends nothing', () => {
  expect(spans([5, 'connected'], [9, 'disconnected'], [12, 'disconnected'])).toEqual([[5, 9]]);
});
