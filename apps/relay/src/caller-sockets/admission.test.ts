import { operations } from '@tabletop-relay/contract';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import type { LogCalls } from '../calls/log-calls.ts';
import { ProblemError } from '../problem.ts';
import { createTellRefusal } from './admission.ts';
import type { TellDeps } from './admission.ts';
import { createCarryOut } from './carry-out.ts';
import type { CallerSocket } from './caller-socket.ts';

const principal = { keyId: 'key', accountId: 'account', keyName: '', oldValueEndsAtMs: null } as Principal;

/** Carries out one call; resolves with what log and metrics were told of it. */
async function refusedBy(deps: { admit: () => Promise<Principal>; spendMinute: () => Promise<object> }) {
  const tellFailure = vi.fn<TellDeps['tellFailure']>();
  const failed = vi.fn<LogCalls['failed']>();
  const carryOut = createCarryOut({
    admit: deps.admit, limits: { spendMinute: deps.spendMinute }, requestBytes: { take: () => () => {} },
    makeCall: vi.fn<never>(), logCalls: { failed }, tracing: undefined,
    tellRefusal: createTellRefusal({ tellFailure, log: pino({ level: 'silent' }) }),
  }); // prettier-ignore
  const socket = {
    visitor: { address: '::1', sender: {}, clientId: undefined, publicUrl: '' },
    admitted: { principal, keyHash: '' }, calls: new Map(), isLeaving: false, sendAnswer: () => {},
  } as unknown as CallerSocket; // prettier-ignore
  const [operation] = operations;
  const isPaid = await carryOut(socket, {
    operation: operation!,
    requestId: 'r',
    traceId: 't',
    fields: {},
    bytes: 9,
  });
  const [, told] = tellFailure.mock.calls[0] ?? [];
  return { isPaid, toldOf: told?.principal?.keyId, loggedOf: failed.mock.calls[0]?.[0].principal?.keyId };
}

const unavailable = () => Promise.reject(new ProblemError('unavailable'));

test('a call whose key cannot be looked at counts as one that nobody was found for, and is in the log of its key', async () => {
  expect(await refusedBy({ admit: unavailable, spendMinute: () => Promise.resolve({}) })).toEqual({
    isPaid: false, toldOf: undefined, loggedOf: 'key',
  }); // prettier-ignore
});

test('a call that is refused behind its key is told of with it', async () => {
  expect(await refusedBy({ admit: () => Promise.resolve(principal), spendMinute: unavailable })).toEqual({
    isPaid: false, toldOf: 'key', loggedOf: 'key',
  }); // prettier-ignore
});
