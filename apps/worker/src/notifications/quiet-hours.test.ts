import { expect, it } from 'vitest';
import { whenNotQuiet } from './quiet-hours.ts';

const night = { from: '22:30', to: '07:00', timeZone: 'Europe/Berlin' };
const noon = { from: '12:00', to: '13:00', timeZone: 'Asia/Kolkata' };

it.each([
  // Winter: UTC+1.
  [night, '2026-01-10T21:29:00Z', '2026-01-10T21:29:00Z'],
  [night, '2026-01-10T21:30:20Z', '2026-01-11T06:00:00Z'],
  [night, '2026-01-11T05:59:59Z', '2026-01-11T06:00:00Z'],
  [night, '2026-01-11T06:00:00Z', '2026-01-11T06:00:00Z'],
  // The night in which summer time begins is an hour shorter, and that in which it ends an hour longer.
  [night, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
  [night, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  // Half an hour beside whole ones.
  [noon, '2026-01-10T06:30:00Z', '2026-01-10T07:30:00Z'],
  [noon, '2026-01-10T07:30:00Z', '2026-01-10T07:30:00Z'],
  [noon, '2026-01-10T06:29:00Z', '2026-01-10T06:29:00Z'],
  [noon, '2026-01-10T00:00:00Z', '2026-01-10T00:00:00Z'],
  [{ ...noon, to: '12:00' }, '2026-01-10T06:30:00Z', '2026-01-10T06:30:00Z'],
  [undefined, '2026-01-10T06:30:00Z', '2026-01-10T06:30:00Z'],
])('with quiet hours %j what is due at %s is sent at %s', (quiet, at, expected) => {
  const sent = whenNotQuiet(new Date(at), quiet);
  expect(sent.toISOString()).toBe(new Date(expected).toISOString());
});
