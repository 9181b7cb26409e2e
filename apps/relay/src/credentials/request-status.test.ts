import { expect, test } from 'vitest';
import { statusOf } from './request-status.ts';

const expiresAt = new Date(1_000);

test.each([
  ['pending', 999, 'pending'],
  ['pending', 1_000, 'expired'],
  ['approved', 999, 'approved'],
  ['approved', 1_000, 'expired'],
  ['denied', 1_000, 'denied'],
  ['exchanged', 1_000, 'exchanged'],
])('a request that is %s at %i ms reads as %s', (status, now, read) => {
  expect(statusOf({ status, expiresAt }, now)).toBe(read);
});
