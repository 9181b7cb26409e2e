import { operations } from '@tabletop-relay/contract';
import { expect, test, vi } from 'vitest';
import type { ProblemError } from '../../problem.ts';
import { settle } from './settle-reply.ts';

const operation = operations.find(({ name }) => name === 'macro-execute')!;

/** The problem that the caller gets for this frame of a world. */
function refusalOf(frame: object, name = 'macro-execute'): ProblemError {
  const reject = vi.fn<(problem: ProblemError) => void>();
  const asked = operations.find((one) => one.name === name) ?? operation;
  const call = { requestId: 'x', operation: asked, resolve: vi.fn<() => void>(), reject };
  settle(call, { type: `${name}-result`, ...frame }, Buffer.from('{}'), {} as never);
  return reject.mock.calls[0]![0];
}

test.each([
  ['The bell is cracked', 'The bell is cracked'],
  [{ message: 'The bell is cracked' }, 'The bell is cracked'],
  [{ message: '', error: 'The bell is cracked' }, 'The bell is cracked'],
  [{ name: 'TypeError', stack: [] }, '{"name":"TypeError","stack":[]}'],
  [['no bell', 'no tower'], '["no bell","no tower"]'],
  [true, 'The world refused the operation.'],
])('an error keeps its text: %j', (error, detail) => {
  expect(refusalOf({ error }).message).toBe(detail);
});

test('an error that is nested too deep to be written is a refusal all the same', () => {
  const error = JSON.parse(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`) as unknown;
  expect(refusalOf({ error }).message).toBe('The world refused the operation.');
});

test('the text of an error has a bound', () => {
  expect(refusalOf({ error: { message: 'x'.repeat(5_000) } }).message).toHaveLength(2_000);
});

test.each([
  [{ error: 'no', code: 'too_busy' }, 'too_busy'],
  [{ error: { message: 'no', code: 'too_busy' } }, 'too_busy'],
  [{ error: { message: 'Macro not found', code: 7 } }, 'entity_not_found'],
  [{ error: 'The bell is cracked' }, 'script_failed'],
])('the reason of a refusal is its code, or else what its words say: %j', (frame, reason) => {
  expect(refusalOf(frame)).toMatchObject({ code: 'operation_failed', fields: { reason } });
});

test('words that say nothing known give no reason', () => {
  expect(refusalOf({ error: 'The bell is cracked' }, 'roll')).not.toHaveProperty('fields.reason');
});
