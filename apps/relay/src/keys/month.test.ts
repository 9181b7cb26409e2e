import { expect, test } from 'vitest';
import { monthOf } from './month.ts';

test.each([
  ['2026-11-01T00:00:00.000Z', '2026-11-01', '2026-12-01'],
  ['2026-11-30T23:59:59.999Z', '2026-11-01', '2026-12-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
])('%s lies in the month of %s, which ends at %s', (at, start, end) => {
  expect(monthOf(Date.parse(at))).toEqual({ start, endsAt: Date.parse(end) });
});
