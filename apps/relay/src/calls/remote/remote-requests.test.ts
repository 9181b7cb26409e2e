import { operations } from '@tabletop-relay/contract';
import { pino } from 'pino';
import { Counter, Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { noPauses } from '../../pauses/pauses.ts';
import type { RemoteRequestRecord } from '../../records/records.ts';
import type { ClientSocket } from '../../sockets/client-socket.ts';
import { AskedElsewhere } from '../../sockets/remote/asked-elsewhere.ts';
import type { TokenPrincipal, TokenVerdict } from '../../worlds/authenticate-token.ts';
import type { Router } from '../router.ts';
import { createRemoteRequests } from './remote-requests.ts';

const principal = {
  accountId: 'account',
  clientId: 'asking',
  tokenId: 'token',
  name: 'Firefox on Linux',
  allowedTargetClients: new Set(['asked']),
  pauses: noPauses,
  scopes: new Set(['user:read']),
} as unknown as TokenPrincipal;

/** A browser that may ask for 10 answers at once, and whose token turns out so when it is looked at again. */
function createAskingModule(verdict: TokenVerdict) {
  const hungUp = vi.fn<() => void>();
  // The asked world is silent.
  const call = vi.fn<Router['call']>(({ signal }) => {
    signal?.addEventListener('abort', hungUp);
    return new Promise<never>(() => {});
  });
  const recorded: RemoteRequestRecord[] = [];
  const requests = createRemoteRequests({
    operations,
    router: { call },
    idempotency: { begin: () => expect.fail('no request here has a key') },
    tokens: { recheck: () => Promise.resolve(verdict) },
    quotas: { perWindow: () => ({ spend: async () => ({ allowed: true, remaining: 1, resetMs: 0 }) }) },
    limits: { remoteRequest: { max: 60, windowMs: 60_000 } },
    settings: {
      remoteRequestTimeoutMs: 60_000,
      callsInFlightPerKey: 10,
      maxBodyBytes: 1_000,
      callerReadTimeoutMs: 1_000,
    },
    records: { remoteRequest: (row) => void recorded.push(row), audit: () => {} },
    metrics: {
      remoteRequests: new Counter({
        name: 'n',
        help: 'n',
        labelNames: ['outcome'],
        registers: [new Registry()],
      }),
    },
    tracing: undefined,
    log: pino({ level: 'silent' }),
  });
  const identity = {
    accountId: 'account',
    clientId: 'asking',
    principal,
    address: '192.0.2.1',
    ipAddress: '',
  };
  const send = vi.fn<(frame: object) => void>();
  const socket = { identity, asked: new AskedElsewhere(), send, isOpen: true } as unknown as ClientSocket;
  const ask = (requestId = 'r', bytes = 100, payload: object = {}) =>
    requests.receive(socket, { requestId, targetClientId: 'asked', action: 'players', payload }, bytes);
  const answers = async (): Promise<object[]> => {
    await vi.waitUntil(() => send.mock.calls.length > 0);
    return send.mock.calls.map(([answer]) => answer);
  };
  return { ask, answers, socket, recorded, call, hungUp };
}

async function askOnce(verdict: TokenVerdict) {
  const { ask, answers, recorded, call } = createAskingModule(verdict);
  ask();
  return { answer: (await answers())[0], recorded, call };
}

test.each<[string, TokenVerdict, string, boolean]>([
  ['was unpaired meanwhile', { refused: 'invalid' }, 'key_invalid', false],
  ['may not be used from its address any more', { refused: 'address_not_allowed' }, 'forbidden', false],
  [
    'is of a disabled account',
    { refused: 'temporary', blocked: 'account_disabled' },
    'account_disabled',
    false,
  ],
  [
    'is of an account that needs a new master key',
    { refused: 'temporary', blocked: 'rotation_required' },
    'rotation_required',
    false,
  ],
  [
    'cannot be looked at',
    { refused: 'temporary', cause: new Error('Postgres is away') },
    'unavailable',
    true,
  ],
  [
    'has lost the world',
    { ok: { ...principal, allowedTargetClients: new Set() } },
    'client_not_found',
    false,
  ],
  ['has lost the scope', { ok: { ...principal, scopes: new Set() } }, 'scope_missing', false],
])(
  'a request by a token that %s is refused, sent nowhere and recorded',
  async (_what, verdict, code, retryable) => {
    const { answer, recorded, call } = await askOnce(verdict);
    expect(answer).toMatchObject({
      type: 'remote-response',
      requestId: 'r',
      success: false,
      code,
      outcome: 'not_sent',
      retryable,
    });
    expect(recorded).toMatchObject([{ outcome: code, action: 'players', targetClientId: 'asked' }]);
    expect(call).not.toHaveBeenCalled();
  },
);

test('a browser that waits for as many answers as it may is refused, and has room again when one has come', async () => {
  const { ask, answers, socket, call } = createAskingModule({ ok: principal });
  for (let count = 0; count < 10; count++) ask(`r${count}`);
  ask('one more');
  expect(await answers()).toMatchObject([
    { requestId: 'one more', code: 'rate_limited', outcome: 'not_sent' },
  ]);
  expect(call).toHaveBeenCalledTimes(10);
  socket.asked.abandonAll();
  await vi.waitUntil(() => socket.asked.size === 0);
});

test('a request of as many bytes as it may have is sent', async () => {
  const { ask, call, socket } = createAskingModule({ ok: principal });
  ask('r', 1_000);
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce());
  socket.asked.abandonAll();
});

test('where a permission ends while the answer is awaited, the world is told, and the outcome is unknown', async () => {
  const { ask, answers, socket, call, hungUp } = createAskingModule({ ok: principal });
  ask();
  await vi.waitUntil(() => call.mock.calls.length > 0);
  socket.asked.recheckAll(principal);
  expect(hungUp).not.toHaveBeenCalled();
  socket.asked.recheckAll({ ...principal, scopes: new Set() });
  expect(await answers()).toMatchObject([{ code: 'forbidden', outcome: 'unknown' }]);
  expect(hungUp).toHaveBeenCalledOnce();
});

test('what a browser that went away asked for is abandoned', async () => {
  const { ask, socket, call, recorded, hungUp } = createAskingModule({ ok: principal });
  ask();
  await vi.waitUntil(() => call.mock.calls.length > 0);
  socket.asked.abandonAll();
  await vi.waitUntil(() => recorded.length > 0);
  expect(recorded).toMatchObject([{ outcome: 'source_lost' }]);
  expect(hungUp).toHaveBeenCalledOnce();
});

test('a request is made without what its operation does not know, and a failure names that too', async () => {
  const { ask, answers, call, socket } = createAskingModule({ ok: principal });
  ask('r', 100, { mood: 1 });
  await vi.waitUntil(() => call.mock.calls.length > 0);
  expect(call.mock.calls[0]?.[0].fieldsJson).toBe('{}');
  socket.asked.recheckAll({ ...principal, scopes: new Set() });
  expect(await answers()).toMatchObject([{ code: 'forbidden', ignoredParameters: ['mood'] }]);
});

test('a misspelt right is refused, and nothing is sent', async () => {
  const { ask, answers, call } = createAskingModule({ ok: principal });
  ask('r', 100, { user_id: 'gm' });
  const error = expect.stringContaining('did you mean `userId`') as unknown;
  expect(await answers()).toMatchObject([{ code: 'invalid_request', outcome: 'not_sent', error }]);
  expect(call).not.toHaveBeenCalled();
});
