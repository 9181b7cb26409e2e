import type { Cluster } from '@tabletop-relay/cluster';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConnectionTokens, TokenVerdict } from '../../worlds/authenticate-token.ts';
import { ClientSocket } from '../client-socket.ts';
import { allowed, principal, setUp } from '../../../test/sockets/admission/set-up.ts';

test('a module whose token is valid owns its client, with the rights that the token has by then', async () => {
  const recheck = () => Promise.resolve<TokenVerdict>({ ok: { ...principal, name: 'renamed' } });
  const { attempts, arrivals, ws, tryIt, owner } = await setUp({ tokens: { recheck } });
  const socket = await tryIt({ declared: { checksUser: true } });
  expect(socket).toBeInstanceOf(ClientSocket);
  expect(socket?.identity).toMatchObject({ clientId: 'client', accountId: 'account', address: '192.0.2.1' });
  expect([socket?.identity.principal.name, socket?.identity.declared]).toEqual([
    'renamed',
    { checksUser: true },
  ]);
  expect([socket?.epoch, JSON.parse(socket?.meta ?? '')]).toEqual([
    1,
    expect.objectContaining({ declared: { checksUser: true } }),
  ]);
  expect(await owner()).toMatchObject({ accountId: 'account', moving: false, meta: socket?.meta });
  expect(attempts).toEqual([
    expect.objectContaining({ outcome: 'connected', closeCode: null, conn: socket?.conn }),
  ]);
  expect([arrivals.expect.mock.calls, arrivals.settle.mock.calls]).toEqual([[[socket?.conn]], []]);
  expect(ws.close).not.toHaveBeenCalled();
});

test.each([
  ['invalid', 'token_invalid', 4002],
  ['address_not_allowed', 'address_not_allowed', 4003],
  ['temporary', 'unavailable', 4000],
] as const)('a token that is %s is refused, and claims nothing', async (refused, outcome, closeCode) => {
  const { attempts, ws, tryIt, owner } = await setUp({
    tokens: { verify: () => Promise.resolve({ refused, principal }) },
  });
  expect(await tryIt()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome, closeCode, principal })]);
  expect(ws.close.mock.calls[0]?.[0]).toBe(closeCode);
  expect(await owner()).toBeUndefined();
});

test.each([
  ['account_disabled', 'The account is disabled'],
  ['rotation_required', 'The master key must be regenerated'],
] as const)('a module of an account with %s is told so, and so is the log', async (blocked, reason) => {
  const { attempts, ws, tryIt } = await setUp({
    tokens: { verify: () => Promise.resolve({ refused: 'temporary', principal, blocked }) },
  });
  expect(await tryIt()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: blocked, closeCode: 4000, principal })]);
  expect(ws.close.mock.calls).toEqual([[4000, reason]]);
});

test.each(['leave', 'end'] as const)('a module may %s while its token is looked up', async (how) => {
  const verdict = Promise.withResolvers<TokenVerdict>();
  const verify = vi.fn<ConnectionTokens['verify']>().mockReturnValue(verdict.promise);
  const claim = vi.fn<Cluster['directory']['claim']>();
  const { attempts, tryIt, ...ways } = await setUp({ tokens: { verify }, directory: { claim } });
  const tried = tryIt();
  await expect.poll(() => verify.mock.calls).toHaveLength(1);
  ways[how]();
  verdict.resolve(allowed);
  expect(await tried).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'gone', principal })]);
  expect(claim).not.toHaveBeenCalled();
});

test('a module that has left before its turn is not looked up', async () => {
  const verify = vi.fn<ConnectionTokens['verify']>();
  const { attempts, ws, tryIt } = await setUp({ tokens: { verify } });
  ws.readyState = 2;
  expect(await tryIt()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'gone', principal: undefined })]);
  expect(verify).not.toHaveBeenCalled();
});

test('a module that leaves while its claim is made gives the client back', async () => {
  const again = Promise.withResolvers<TokenVerdict>();
  const { attempts, arrivals, leave, tryIt, owner } = await setUp({
    tokens: { recheck: () => again.promise },
  });
  const tried = tryIt();
  await expect.poll(owner).toMatchObject({ accountId: 'account' });
  leave();
  again.resolve(allowed);
  expect(await tried).toBeUndefined();
  expect(await owner()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'gone' })]);
  expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
});

test('a token that is revoked while the claim is made gives the client back', async () => {
  const { attempts, tryIt, owner } = await setUp({
    tokens: { recheck: () => Promise.resolve({ refused: 'invalid', principal }) },
  });
  expect(await tryIt()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'token_invalid', closeCode: 4002 })]);
  expect(await owner()).toBeUndefined();
});

test('a drain that begins while the claim is made sends the module on, and its client counts as moving', async () => {
  const again = Promise.withResolvers<TokenVerdict>();
  const { draining, attempts, ws, tryIt, owner } = await setUp({ tokens: { recheck: () => again.promise } });
  const tried = tryIt();
  await expect.poll(owner).toBeDefined();
  draining.abort();
  again.resolve(allowed);
  expect(await tried).toBeUndefined();
  expect(await owner()).toMatchObject({ moving: true });
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'unavailable', closeCode: 1012 })]);
  expect(ws.close.mock.calls[0]?.[0]).toBe(1012);
});

test('while the instance drains, a module that comes by a handover stays with its old owner', async () => {
  const claim = vi.fn<Cluster['directory']['claim']>().mockResolvedValue({ outcome: 'mine', epoch: 1 });
  const { draining, attempts, arrivals, ws, tryIt } = await setUp({ directory: { claim } });
  draining.abort();
  expect(await tryIt({ handover: 'from the old owner' })).toBeUndefined();
  expect(claim).not.toHaveBeenCalled();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'unavailable', closeCode: 1012, principal })]);
  expect(ws.close.mock.calls[0]?.[0]).toBe(1012);
  expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
});

/** A module whose claim is lost while its token is checked again for the first time. */
async function setUpLostClaim(waitMs: number) {
  const again = Promise.withResolvers<TokenVerdict>();
  const recheck = vi.fn<ConnectionTokens['recheck']>().mockResolvedValue(allowed);
  recheck.mockReturnValueOnce(again.promise);
  const test = await setUp({ waitMs, tokens: { recheck } });
  const tried = test.tryIt();
  await vi.waitFor(async () => expect(await test.owner()).toBeDefined());
  const [[conn] = ['']] = test.arrivals.expect.mock.calls;
  await test.cluster.directory.release('client', conn);
  return { ...test, tried, goOn: () => again.resolve(allowed) };
}

test('a module whose claim another browser got while its token was checked again is not let in', async () => {
  const { cluster, attempts, arrivals, ws, tried, goOn, owner } = await setUpLostClaim(0);
  const other = { clientId: 'client', conn: 'other', accountId: 'account', meta: 'other' };
  expect(await cluster.directory.claim(other)).toMatchObject({ outcome: 'mine' });
  goOn();
  expect(await tried).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'unavailable', closeCode: 4000, principal })]);
  expect(ws.close.mock.calls[0]?.[0]).toBe(4000);
  expect(await owner()).toMatchObject({ meta: 'other', moving: false });
  expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
});

test('a module whose claim was lost while its token was checked again is held, and claims anew', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { cluster, attempts, tried, goOn } = await setUpLostClaim(10_000);
  goOn();
  await vi.advanceTimersByTimeAsync(3_000);
  const socket = await tried;
  expect(cluster.directory.owns('client', socket?.conn ?? '')).toBe(true);
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'connected', conn: socket?.conn })]);
});

test.each([
  [{ outcome: 'duplicate' }, 'duplicate', 4004],
  [{ outcome: 'unavailable', cause: 'no decision' }, 'unavailable', 4000],
] as const)(
  'a claim that ends with %o is recorded, and awaited no longer',
  async (claimed, outcome, code) => {
    const { attempts, arrivals, ws, tryIt } = await setUp({
      directory: { claim: () => Promise.resolve(claimed) },
    });
    expect(await tryIt()).toBeUndefined();
    expect(attempts).toEqual([expect.objectContaining({ outcome, closeCode: code, principal })]);
    expect(ws.close.mock.calls[0]?.[0]).toBe(code);
    expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
  },
);

const away: TokenVerdict = { refused: 'temporary', cause: new Error('Postgres is away') };

test.each<[string, Parameters<typeof setUp>[0]]>([
  ['token cannot be looked up', { tokens: { verify: vi.fn<ConnectionTokens['verify']>().mockResolvedValueOnce(away).mockResolvedValue(allowed) } }],
  ['claim cannot be made', { directory: { claim: vi.fn<Cluster['directory']['claim']>().mockResolvedValueOnce({ outcome: 'unavailable', cause: 'no decision' }).mockResolvedValue({ outcome: 'mine', epoch: 1 }), owns: () => true } }],
])('a module whose %s is held, and let in once it can', async (_what, changed) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { attempts, ws, tryIt } = await setUp({ waitMs: 10_000, ...changed });
  const tried = tryIt();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await tried).toBeInstanceOf(ClientSocket);
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'connected' })]);
  expect(ws.close).not.toHaveBeenCalled();
}); // prettier-ignore

test('a module that is held is sent on once the instance drains', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const verify = vi.fn<ConnectionTokens['verify']>().mockResolvedValue(away);
  const { draining, attempts, tryIt } = await setUp({ waitMs: 10_000, tokens: { verify } });
  const tried = tryIt();
  await vi.advanceTimersByTimeAsync(0);
  draining.abort();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await tried).toBeUndefined();
  expect(attempts).toEqual([
    expect.objectContaining({ outcome: 'unavailable', closeCode: 1012, cause: away.cause }),
  ]);
});

test('a module whose account is blocked is not held', async () => {
  const verify = vi.fn<ConnectionTokens['verify']>().mockResolvedValue({ refused: 'temporary', principal });
  const { attempts, tryIt } = await setUp({ waitMs: 10_000, tokens: { verify } });
  expect(await tryIt()).toBeUndefined();
  expect(verify).toHaveBeenCalledOnce();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'unavailable', closeCode: 4000 })]);
});

test.each<[TokenVerdict, boolean]>([
  [away, true],
  [{ refused: 'invalid' }, false],
])(
  'a module that came by a handover and is refused after its claim with %o may return: %s',
  async (again, mayReturn) => {
    const recheck = () => Promise.resolve(again);
    const { tryIt, owner } = await setUp({ tokens: { recheck } });
    expect(await tryIt({ handover: 'from the old owner' })).toBeUndefined();
    expect((await owner())?.moving).toBe(mayReturn ? true : undefined);
  },
);

test('a claim that fails is a fault, and nobody waits for its socket', async () => {
  const { arrivals, tryIt } = await setUp({
    directory: { claim: () => Promise.reject(new Error('a fault of ours')) },
  });
  await expect(tryIt()).rejects.toThrow('a fault of ours');
  expect(arrivals.expect).toHaveBeenCalledOnce();
  expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
});

test('a module for whom no place in the line is left comes back later, and one that leaves the line is gone', async () => {
  const verdict = Promise.withResolvers<TokenVerdict>();
  const { attempts, leave, tryIt } = await setUp({ tokens: { verify: () => verdict.promise } });
  const [first, second] = [tryIt(), tryIt()];
  expect(await tryIt()).toBeUndefined();
  expect(attempts).toEqual([expect.objectContaining({ outcome: 'unavailable', closeCode: 4000 })]);
  leave();
  expect(await second).toBeUndefined();
  expect(attempts.slice(1)).toEqual([expect.objectContaining({ outcome: 'gone', principal: undefined })]);
  verdict.resolve({ refused: 'invalid' });
  expect(await first).toBeUndefined();
});

const served = { clientId: 'client', conn: 'other', accountId: 'account', meta: 'other' };

test('a module that says that it waits is no duplicate: it is on the list, and recorded as waiting', async () => {
  let settled: unknown[] | undefined;
  const test = await setUp({
    directory: { claim: () => Promise.resolve({ outcome: 'duplicate' }) },
    tokens: {
      recheck: () => {
        settled = [...test.arrivals.settle.mock.calls];
        return Promise.resolve(allowed);
      },
    },
  });
  const { cluster, attempts, arrivals, ws, tryIt } = test;
  const socket = await tryIt({ declared: { standby: true } });
  // On the list and not yet known to this instance, it counts as alive.
  expect(settled).toEqual([]);
  expect([socket?.isStandby, attempts.map(({ outcome, conn }) => [outcome, conn])]).toEqual([
    true,
    [['standby', undefined]],
  ]);
  expect((await cluster.standbys.find(['client'])).get('client')).toMatchObject([{ conn: socket?.conn }]);
  expect(arrivals.settle.mock.calls).toEqual(arrivals.expect.mock.calls);
  expect(ws.close).not.toHaveBeenCalled();
});

test.each([
  ['is revoked', 'token_invalid', 4002, { refused: 'invalid', principal }],
  ['may not be looked up', 'unavailable', 4000, { refused: 'temporary', cause: new Error('away') }],
] as const)(
  'a module whose token %s while it joins the list waits not',
  async (_what, outcome, code, again) => {
    const { cluster, attempts, ws, tryIt } = await setUp({
      directory: { claim: () => Promise.resolve({ outcome: 'duplicate' }) },
      tokens: { recheck: () => Promise.resolve(again) },
    });
    expect(await tryIt({ declared: { standby: true } })).toBeUndefined();
    expect(attempts).toEqual([expect.objectContaining({ outcome, closeCode: code })]);
    expect(ws.close.mock.calls[0]?.[0]).toBe(code);
    expect(await cluster.standbys.find(['client'])).toEqual(new Map());
  },
);

test('a sixth that would wait is refused', async () => {
  const { cluster, ws, tryIt } = await setUp({
    directory: { claim: () => Promise.resolve({ outcome: 'duplicate' }) },
  });
  for (let count = 0; count < 5; count++) await cluster.standbys.join({ ...served, conn: `conn-${count}` });
  expect(await tryIt({ declared: { standby: true } })).toBeUndefined();
  expect(ws.close.mock.calls).toEqual([[4004, 'Five browsers of this world wait already']]);
});

test.each(['invalid', 'temporary', 'drain'] as const)(
  'a standby that may serve no more (%s) does not end the browser that serves',
  async (why) => {
    let verdict: TokenVerdict = allowed;
    const { cluster, draining, tryIt, promote, owner } = await setUp({
      tokens: { recheck: () => Promise.resolve(verdict) },
      directory: { claim: () => Promise.resolve({ outcome: 'duplicate' }) },
    });
    await cluster.directory.claim({
      clientId: 'client',
      conn: 'first',
      accountId: 'account',
      meta: 'of the first',
    });
    const socket = await tryIt({ declared: { standby: true } });
    expect(socket?.isStandby).toBe(true);
    if (why === 'drain') draining.abort();
    else verdict = { refused: why, principal };
    expect(await promote(socket!, 'takeOver')).toMatchObject({
      close: { invalid: 'tokenInvalid', temporary: 'temporary', drain: 'goingAway' }[why],
    });
    expect(await owner()).toMatchObject({ meta: 'of the first', moving: false });
  },
);
