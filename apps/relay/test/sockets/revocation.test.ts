import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pino } from 'pino';
import type { CredentialEvent } from '../../src/credentials/changes/credential-feed.ts';
import type { ClientSocket } from '../../src/sockets/client-socket.ts';
import { watchRevocations } from '../../src/sockets/revocation.ts';
import type { ConnectionTokens } from '../../src/worlds/authenticate-token.ts';
import { createFakeFeed } from '../credentials/fake-feed.ts';

type Verdict = Awaited<ReturnType<ConnectionTokens['recheck']>>;

/** One account with a connected world, whose token is judged as given. */
function watch(verdict: Partial<Extract<Verdict, { refused: string }>>) {
  const close = vi.fn<(name: string, reason?: string) => void>();
  const principal = { tokenId: 'own' };
  const socket = { conn: 'conn', identity: { principal, address: '', clientId: 'client' }, close };
  const recheck = vi.fn<() => Promise<Verdict>>(() => Promise.resolve(verdict as Verdict));
  const { feed, say } = createFakeFeed();
  watchRevocations({
    feed,
    tokens: { recheck } as unknown as ConnectionTokens,
    clients: {
      byAccount: () => [socket as unknown as ClientSocket],
      byConn: () => socket as unknown as ClientSocket,
    },
    log: pino({ level: 'silent' }),
  });
  const event = (change: string, subject: string, subjectId: string) =>
    say({ accountId: 'account', subject, subjectId, change } as unknown as CredentialEvent);
  return { close, recheck, event };
}

it('a token that is given back closes its own socket, and no other of the account', () => {
  const { close, recheck, event } = watch({});
  event('given_back', 'token', 'another');
  event('revoked', 'token', 'another');
  expect([close.mock.calls, recheck.mock.calls]).toEqual([[], []]);
  event('given_back', 'token', 'own');
  expect(close.mock.calls).toEqual([['normal']]);
});

it('what changes the whole account has each socket checked, whatever its token', () => {
  const { recheck, event } = watch({});
  event('changed', 'account', 'account');
  event('deleted', 'client', 'some-client');
  expect(recheck).toHaveBeenCalledTimes(2);
});

it.each([
  [{ refused: 'invalid' }, ['tokenInvalid']],
  [{ refused: 'address_not_allowed' }, ['addressNotAllowed']],
  [{ refused: 'temporary', blocked: 'account_disabled' }, ['temporary', 'The account is disabled']],
] as const)(
  'a socket whose token is %o is closed so that its module knows what to do',
  async (verdict, told) => {
    const { close, event } = watch(verdict);
    event('changed', 'token', 'own');
    await vi.waitFor(() => expect(close.mock.calls).toEqual([told]), 1_000);
  },
);

it('a socket whose token cannot be read stays, and is checked again, once for however many events', async () => {
  vi.useFakeTimers();
  const { close, recheck, event } = watch({ refused: 'temporary' });
  for (let events = 0; events < 3; events++) event('changed', 'token', 'own');
  await vi.advanceTimersByTimeAsync(500);
  expect(recheck).toHaveBeenCalledTimes(4);
  expect(close).not.toHaveBeenCalled();
  vi.useRealTimers();
});

describe('while Postgres does not answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['revoked', 'token', 'own'],
    ['revoked', 'client', 'client'],
    ['revoked', 'account', 'account'],
    ['blocked', 'account', 'account'],
  ])(
    'a socket is closed within a second once its right is %s by its %s, so that its module comes back',
    async (...spoken) => {
      const { close, recheck, event } = watch({});
      recheck.mockReturnValue(new Promise(() => {}));
      event(...spoken);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(close.mock.calls).toEqual([['temporary']]);
    },
  );

  it.each([
    ['changed', 'token', 'own'],
    ['revoked', 'client', 'another'],
    ['unblocked', 'account', 'account'],
  ])(
    'a socket stays and is asked about again where nothing is taken from it: %s of %s %s',
    async (...spoken) => {
      const { close, recheck, event } = watch({ refused: 'temporary' });
      event(...spoken);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(close).not.toHaveBeenCalled();
      expect(recheck.mock.calls.length).toBeGreaterThan(1);
    },
  );
});
