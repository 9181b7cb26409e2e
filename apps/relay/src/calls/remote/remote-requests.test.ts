import { operations } from '@tabletop-relay/contract';
import { pino } from 'pino';
import { Counter, Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
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
  scopes: new Set(['user:read']),
} as unknown as TokenPrincipal;

/** One request of a browser whose token turns out so when it is looked at again. */
async function askOnce(verdict: TokenVerdict) {
  const call = vi.fn<Router['call']>();
  const recorded: RemoteRequestRecord[] = [];
  const requests = createRemoteRequests({
    operations,
    router: { call },
    tokens: { recheck: () => Promise.resolve(verdict) },
    quotas: { perWindow: () => ({ spend: () => ({ allowed: true, remaining: 1, resetMs: 0 }) }) },
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
  const frame = { requestId: 'r', targetClientId: 'asked', action: 'players', payload: {} };
  requests.receive(socket, frame, 100);
  await vi.waitUntil(() => send.mock.calls.length > 0);
  return { answer: send.mock.calls[0]?.[0], recorded, call };
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
