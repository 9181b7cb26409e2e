import { operations } from '@tabletop-relay/contract';
import { expect, it, vi } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import type { KeyedCommand } from './idempotency.ts';
import { createMakeCall } from './make-call.ts';
import type { KeyCall, MakeCallDeps } from './make-call.ts';

const operation = operations.find(({ name }) => name === 'chat-send')!;
const boundTo = (userId: string): Principal =>
  ({
    accountId: 'account', keyId: 'key', clientIds: new Set(['client']), actingUserIds: new Map([['client', userId]]),
    scopes: new Set([operation.scope]), pauses: { standing: () => undefined }, reachesPaused: true,
  }) as unknown as Principal; // prettier-ignore

it('the answer of a repeated command is sought for the user as whom the key acts when its body has come', async () => {
  const begin = vi
    .fn<(command: KeyedCommand) => Promise<object>>()
    .mockResolvedValue({ replay: { body: Buffer.alloc(0) } });
  const count = { labels: () => count, inc: () => {}, observe: () => {} };
  const makeCall = createMakeCall({
    chooseClient: () => Promise.resolve('client'),
    keys: { renew: () => Promise.resolve(boundTo('ben')) },
    limits: { enter: () => () => {}, monthly: { count: () => {}, spend: () => {}, refund: () => {} } },
    metrics: { calls: count, callSeconds: count },
    logCalls: { answered: () => {} },
    idempotency: { begin },
  } as unknown as MakeCallDeps);
  const wire = { content: 'Hail' };
  const read = () => ({
    named: 'client',
    reading: { ok: true, parameters: wire, wire, ignored: [] },
    idempotencyKey: 'k',
  });
  const call = {
    operation,
    principal: boundTo('ana'),
    read,
    facts: {},
    elapsedMs: () => 0,
  } as unknown as KeyCall;
  expect(await makeCall(call, ({ isReplay }) => isReplay)).toBe(true);
  expect(begin.mock.calls[0]?.[0].wire).toMatchObject({ content: 'Hail', userId: 'ben' });
});
