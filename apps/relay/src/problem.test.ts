import { errors } from '@tabletop-relay/contract';
import type { ErrorCode } from '@tabletop-relay/contract';
import { expect, it } from 'vitest';
import { invalidFields, judgeCall, ProblemError } from './problem.ts';

it('a refusal takes no stack, and errors made after it have theirs', () => {
  const cause = new Error('nobody foresaw it');
  const problem = new ProblemError('internal', undefined, { cause });
  expect(problem.stack).not.toContain('    at ');
  expect((problem.cause as Error).stack).toContain('problem.test.ts');
  expect(new Error('the next').stack).toContain('problem.test.ts');
});

it.each<[ErrorCode, number | undefined, object]>([
  ['unavailable', undefined, { 'retry-after': '1' }],
  ['rate_limited', undefined, { 'retry-after': '1' }],
  ['rate_limited', 1.2, { 'retry-after': '2' }],
  ['not_found', undefined, {}],
  ['not_found', 7, { 'retry-after': '7' }],
])('%s with a wait of %s s has these headers', (code, retryAfterS, headers) => {
  const problem = new ProblemError(code, undefined, retryAfterS === undefined ? {} : { retryAfterS });
  expect(problem.headers).toEqual(headers);
  expect(problem).toMatchObject({ code, status: errors[code].status, message: errors[code].description });
});

it('what is said of a problem, and what is only logged, stay apart', () => {
  const cause = new Error('away');
  const caller = { accountId: 'account' };
  const extra = { cause, caller, headers: { allow: 'GET' }, lastSeen: 5 };
  const problem = new ProblemError('not_found', 'No such world.', extra);
  expect(problem).toMatchObject({ message: 'No such world.', cause, caller, headers: { allow: 'GET' } });
  expect(problem.fields).toEqual({ lastSeen: 5 });
});

it.each<[ErrorCode, 'query' | 'command' | undefined, object]>([
  ['client_timeout', 'query', { retryable: true, outcome: 'unknown' }],
  ['client_timeout', 'command', { retryable: false, outcome: 'unknown' }],
  ['unavailable', 'command', { retryable: true, outcome: 'not_sent' }],
  ['operation_failed', 'command', { retryable: false }],
  ['not_found', undefined, { retryable: false, outcome: 'not_sent' }],
  ['internal', 'command', { retryable: false, outcome: 'unknown' }],
])('after %s of a %s a caller knows this', (code, kind, known) => {
  expect(judgeCall(code, kind)).toEqual(known);
});

it('all fields that are wrong are named at once', () => {
  const fields = [
    { field: 'a', message: 'is missing' },
    { field: 'b', message: 'is too long' },
  ];
  expect(invalidFields(fields)).toMatchObject({
    code: 'invalid_request',
    message: 'Not valid: a is missing; b is too long.',
    fields: { errors: fields },
  });
});
