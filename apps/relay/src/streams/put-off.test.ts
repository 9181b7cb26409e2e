import type { ErrorCode } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { ProblemError } from '../problem.ts';
import { putOff } from './put-off.ts';

const lastId = `${'g'.repeat(16)}:7:${'p'.repeat(22)}`;
const comesBack = { query: { ticket: 'tre' }, headers: { 'last-event-id': lastId } };

function waitMsOf(code: ErrorCode, retryAfterS?: number, asked: object = {}): number | undefined {
  const problem = new ProblemError(code, undefined, { ...(retryAfterS && { retryAfterS }) });
  const text = putOff({ ...comesBack, ...asked }, problem);
  const [, waitMs] = /^: \w+\nretry: (\d+)\n\n$/.exec(text ?? '') ?? [];
  return waitMs === undefined ? undefined : Number(waitMs);
}

test.each<[ErrorCode, number | undefined, number]>([
  ['rate_limited', 5, 5_000],
  ['unavailable', undefined, 3_000],
  ['overloaded', 1, 3_000],
  ['monthly_limit_reached', 86_400, 60_000],
])('an EventSource that comes back to %s with Retry-After %s waits', (code, retryAfterS, leastMs) => {
  const waits = Array.from({ length: 20 }, () => waitMsOf(code, retryAfterS) ?? 0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(leastMs);
  expect(Math.max(...waits)).toBeLessThanOrEqual(2 * leastMs);
  expect(new Set(waits).size).toBeGreaterThan(1);
});

test.each<[string, ErrorCode, object]>([
  ['whose ticket opens nothing any more', 'key_invalid', {}],
  ['whose world was deleted', 'client_not_found', {}],
  ['that comes for the first time', 'rate_limited', { headers: {} }],
  ['whose id proves nothing', 'rate_limited', { headers: { 'last-event-id': lastId.slice(0, 18) } }],
  ['that brings a key', 'rate_limited', { query: {} }],
])('a caller %s is told the problem', (_who, code, asked) => {
  expect(waitMsOf(code, 5, asked)).toBeUndefined();
});

test('a fault of ours is told', () => {
  expect(putOff(comesBack, new Error('a bug'))).toBeUndefined();
});
