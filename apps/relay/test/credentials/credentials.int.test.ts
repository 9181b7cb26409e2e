import { scopeNames } from '@tabletop-relay/contract';
import { measureRunningTime } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectModule, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let second: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
  second = cluster.instances[1]?.url ?? '';
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const withKey = (key: unknown, path = '/clients', at = url) =>
  call(at, 'GET', path, { headers: { 'x-api-key': String(key) } });

describe('a scoped key', () => {
  it('is shown once, with what it may do', async () => {
    const { clientId } = await account.pair();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const asked = {
      name: ' Dice bot ',
      scopes: ['clients:read'],
      clientIds: [clientId],
      monthlyLimit: 5,
      expiresAt,
    };
    const made = await account.as('POST', '/auth/api-keys', asked);
    const { apiKey, ...shown } = made.body;
    expect(shown).toMatchObject({ ...asked, name: 'Dice bot', usedThisMonth: 0, lastUsedAt: null });
    const listed = await account.as('GET', '/auth/api-keys');
    expect(listed.body['items']).toContainEqual(shown);
    expect(JSON.stringify(listed.body)).not.toContain(apiKey);
    const { body } = await withKey(apiKey);
    expect((body['clients'] as { clientId: string }[]).map((client) => client.clientId)).toEqual([clientId]);
  });

  it.each([
    [{ scopes: ['clients:read'] }, 'name'],
    [{ name: 'k', scopes: [] }, 'scopes'],
    [{ name: 'k' }, 'scopes'],
    [{ name: 'k', scopes: ['clients:read'], clientIds: [] }, 'clientIds'],
    [{ name: 'k', scopes: ['clients:read'], monthlyLimit: 0 }, 'monthlyLimit'],
    [{ name: 'k', scopes: ['clients:read'], monthlyLimit: 1.5 }, 'monthlyLimit'],
    [{ name: 'k', scopes: ['clients:read'], monthlyLimit: '5' }, 'monthlyLimit'],
    [{ name: 'k', scopes: ['clients:read'], expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'k', scopes: ['clients:read'], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'k', scopes: ['clients:read'], admin: true }, 'admin'],
  ])('is refused for %j, naming %s', async (body, field) => {
    const answer = await account.as('POST', '/auth/api-keys', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const fields = (answer.body['errors'] as { field: string }[]).map((error) => error.field);
    expect(fields).toContain(field);
  });

  it('with an unknown scope is refused with the list of those there are', async () => {
    const answer = await account.as('POST', '/auth/api-keys', { name: 'k', scopes: ['everything'] });
    expect(answer.status).toBe(400);
    for (const scope of scopeNames) expect(answer.body['detail']).toContain(scope);
  });

  it('is narrowed on every instance within a second', async () => {
    const made = await account.as('POST', '/auth/api-keys', {
      name: 'k',
      scopes: ['clients:read', 'world:read'],
    });
    expect((await withKey(made.body['apiKey'], '/clients', second)).status).toBe(200);
    const ranMs = measureRunningTime();
    const changed = await account.as('PATCH', `/auth/api-keys/${String(made.body['id'])}`, {
      scopes: ['world:read'],
    });
    expect(changed.body).toMatchObject({ scopes: ['world:read'], name: 'k' });
    await expect
      .poll(() => withKey(made.body['apiKey'], '/clients', second))
      .toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'clients:read' } });
    expect(ranMs()).toBeLessThan(1_000);
  });

  it('is revoked on every instance within a second', async () => {
    const made = await account.as('POST', '/auth/api-keys', { name: 'k', scopes: ['clients:read'] });
    for (const at of [url, second])
      expect((await withKey(made.body['apiKey'], '/clients', at)).status).toBe(200);
    await account.as('DELETE', `/auth/api-keys/${String(made.body['id'])}`);
    const ranMs = measureRunningTime();
    for (const at of [url, second]) {
      await expect
        .poll(() => withKey(made.body['apiKey'], '/clients', at))
        .toMatchObject({ status: 401, body: { code: 'key_invalid' } });
    }
    expect(ranMs()).toBeLessThan(1_000);
  });

  it('expires while it is cached', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const made = await account.as('POST', '/auth/api-keys', {
      name: 'k',
      scopes: ['clients:read'],
      expiresAt,
    });
    expect((await withKey(made.body['apiKey'])).status).toBe(200);
    await expect
      .poll(() => withKey(made.body['apiKey']))
      .toMatchObject({ status: 401, body: { code: 'key_expired' } });
  });

  it('whose only world is deleted reaches none, never all', async () => {
    const own = await createAccount(url);
    const bound = await own.pair();
    const other = await own.pair();
    const key = await own.createKey({ clientIds: [bound.clientId] });
    const module = await connectModule(url, bound);
    expect((await own.as('DELETE', `/auth/known-clients/${bound.clientId}`)).status).toBe(200);
    expect((await module.closed).code).toBe(4002);
    await expect.poll(async () => (await withKey(key)).body['total']).toBe(0);
    const foreign = await withKey(key, `/players?clientId=${other.clientId}`);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
    const listed = await own.as('GET', '/auth/api-keys');
    expect(listed.body['items']).toMatchObject([{ clientIds: [] }]);
  });
});

describe('a connection token', () => {
  it('is listed with what its browser said, and revoked with its socket within a second', async () => {
    const own = await createAccount(url);
    const pairing = await own.pair();
    const module = await connectModule(second, pairing);
    const listed = await own.as('GET', '/auth/connection-tokens');
    const [token] = listed.body['items'] as { id: string }[];
    expect(token).toMatchObject({ clientId: pairing.clientId, isConnected: true, ipAllowlist: '' });
    expect((await own.as('DELETE', `/auth/connection-tokens/${token?.id}`)).status).toBe(200);
    const ranMs = measureRunningTime();
    expect((await module.closed).code).toBe(4002);
    expect(ranMs()).toBeLessThan(1_000);
    const again = await connectModule(url, pairing).catch(() => undefined);
    expect(again).toBeUndefined();
  });

  it('closes with 4003 when its address is no longer allowed, and keeps its worth', async () => {
    const own = await createAccount(url);
    const pairing = await own.pair();
    const module = await connectModule(url, pairing);
    const [token] = (await own.as('GET', '/auth/connection-tokens')).body['items'] as { id: string }[];
    const path = `/auth/connection-tokens/${token?.id}`;
    const narrowed = await own.as('PATCH', path, { ipAllowlist: '203.0.113.0/24,2001:db8::/32' });
    expect(narrowed.body['ipAllowlist']).toBe('203.0.113.0/24, 2001:db8::/32');
    expect((await module.closed).code).toBe(4003);
    await own.as('PATCH', path, { ipAllowlist: '' });
    await expect.poll(async () => (await connectModule(url, pairing)).close().then(() => true)).toBe(true);
  });

  it.each(['not-an-address', '10.0.0.0/33', '10.0.0.1;10.0.0.2'])(
    'refuses the allowlist %s',
    async (ipAllowlist) => {
      const answer = await account.as('POST', '/auth/pairing-codes', { ipAllowlist });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'ipAllowlist' }] } });
    },
  );

  it('is given back by the module, and by an unknown token nothing happens', async () => {
    const own = await createAccount(url);
    const first = await own.pair();
    await own.pair();
    const giveBack = (token: string) => call(url, 'POST', '/api/self-unpair', { body: { token, extra: 1 } });
    expect((await giveBack('nonsense')).status).toBe(200);
    expect((await giveBack(first.token)).status).toBe(200);
    expect((await giveBack(first.token)).status).toBe(200);
    expect((await own.as('GET', '/auth/connection-tokens')).body['items']).toHaveLength(1);
    expect((await own.as('GET', '/auth/known-clients')).body['items']).toHaveLength(2);
  });
});

describe('pairing', () => {
  const code = async (own: TestAccount, body: object = {}) =>
    (await own.as('POST', '/auth/pairing-codes', body)).body['code'] as string;
  const pair = (body: object, headers: Record<string, string> = {}) =>
    call(url, 'POST', '/auth/pair', { body, headers });

  it('takes what today’s modules send, and names the browser', async () => {
    const own = await createAccount(url);
    const paired = await pair(
      {
        code: (await code(own)).toLowerCase(),
        worldId: 'w',
        worldTitle: 'W',
        foundryVersion: '13.1',
        moduleVersion: '9',
      },
      {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
        origin: 'https://play.example',
      },
    );
    expect(paired).toMatchObject({ status: 200, body: { relayUrl: `${url.replace('http', 'ws')}/relay` } });
    expect(paired.headers.get('access-control-allow-origin')).toBe('*');
    const [client] = (await own.as('GET', '/auth/known-clients')).body['items'] as object[];
    expect(client).toMatchObject({ worldTitle: 'W', tabletopVersion: '13.1', isOnline: false, tokens: 1 });
    const [token] = (await own.as('GET', '/auth/connection-tokens')).body['items'] as object[];
    expect(token).toMatchObject({ name: 'Firefox on Linux', origin: 'https://play.example' });
  });

  it('uses a code up: twenty at once give one token', async () => {
    const own = await createAccount(url);
    const body = { code: await code(own), worldId: 'w' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => pair(body)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body['code'] === 'code_used')).toHaveLength(19);
    expect((await own.as('GET', '/auth/connection-tokens')).body['items']).toHaveLength(1);
  });

  it('ends after ten minutes', async () => {
    const own = await createAccount(url);
    const made = await own.as('POST', '/auth/pairing-codes', {});
    expect(made.body['expiresIn']).toBe(600);
    const past = new Date(Date.now() - 1);
    await cluster.db
      .updateTable('pairingCodes')
      .set({ expiresAt: past })
      .where('accountId', '=', own.accountId)
      .execute();
    const late = await pair({ code: made.body['code'], worldId: 'w' });
    expect(late).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('keeps five plain codes per account and one per world', async () => {
    const own = await createAccount(url);
    const { clientId } = await own.pair();
    const plain = [];
    for (let i = 0; i < 6; i++) plain.push(await code(own));
    expect((await pair({ code: plain[0], worldId: 'w' })).status).toBe(404);
    expect((await pair({ code: plain[1], worldId: 'w' })).status).toBe(200);
    const old = await code(own, { clientId });
    await code(own, { clientId });
    expect((await pair({ code: old, worldId: 'w' })).status).toBe(404);
    expect((await pair({ code: plain[5], worldId: 'w' })).status).toBe(200);
  });

  it('adds a browser to its world and to no other', async () => {
    const own = await createAccount(url);
    const { clientId } = await own.pair({ worldId: 'mine' });
    const other = await pair({ code: await code(own, { clientId }), worldId: 'another' });
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const added = await pair({ code: await code(own, { clientId }), worldId: 'mine' });
    expect(added.body['clientId']).toBe(clientId);
  });

  describe('gives a world its clientId again', () => {
    it.each<[string, object, object, boolean]>([
      ['by existingClientId and world', {}, { existingClientId: 'ITS OWN' }, true],
      [
        'never by existingClientId from another world',
        {},
        { existingClientId: 'ITS OWN', worldId: 'other' },
        false,
      ],
      [
        'by the fingerprint it was paired with',
        { serverFingerprint: 'f1' },
        { serverFingerprint: 'f1' },
        true,
      ],
      ['never by another fingerprint', { serverFingerprint: 'f1' }, { serverFingerprint: 'f2' }, false],
      ['never by worldId alone', {}, {}, false],
      [
        'never by worldId and origin while a token is left',
        { origin: 'https://a.example' },
        { origin: 'https://a.example' },
        false,
      ],
    ])('%s', async (_name, first, then, isSame) => {
      const own = await createAccount(url);
      const send = async ({ origin, ...body }: { origin?: string }) =>
        await pair({ code: await code(own), worldId: 'w', ...body }, origin ? { origin } : {});
      const before = (await send(first)).body['clientId'];
      const again = Object.fromEntries(
        Object.entries(then).map(([name, value]) => [name, value === 'ITS OWN' ? before : value]),
      );
      expect((await send(again)).body['clientId'] === before).toBe(isSame);
    });

    it('by worldId and origin once no token is left, and tells of it', async () => {
      const own = await createAccount(url);
      const headers = { origin: 'https://a.example' };
      const first = await pair({ code: await code(own), worldId: 'w' }, headers);
      await call(url, 'POST', '/api/self-unpair', { body: { token: first.body['token'] } });
      const elsewhere = await pair({ code: await code(own), worldId: 'w' }, { origin: 'https://b.example' });
      expect(elsewhere.body['clientId']).not.toBe(first.body['clientId']);
      const again = await pair({ code: await code(own), worldId: 'w' }, headers);
      expect(again.body['clientId']).toBe(first.body['clientId']);
      await expect
        .poll(async () => (await own.as('GET', '/auth/audit-log')).body['items'])
        .toContainEqual(
          expect.objectContaining({ event: 'client.paired_again', clientId: first.body['clientId'] }),
        );
    });

    it('never to another account', async () => {
      const own = await createAccount(url);
      const mine = await pair({ code: await code(own), worldId: 'w', serverFingerprint: 'f' });
      const stranger = await createAccount(url);
      const body = { worldId: 'w', serverFingerprint: 'f', existingClientId: mine.body['clientId'] };
      const theirs = await pair({ code: await code(stranger), ...body });
      expect(theirs.status).toBe(200);
      expect(theirs.body['clientId']).not.toBe(mine.body['clientId']);
    });
  });

  it('after 1,000 wrong codes in ten minutes takes a code only from the network that made it', async () => {
    const { db } = cluster;
    const own = await createAccount(url);
    const made = await code(own);
    await db
      .updateTable('pairingCodes')
      .set({ createdFrom: '203.0.113.9' })
      .where('accountId', '=', own.accountId)
      .execute();
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 120_000);
    await db.insertInto('pairingFailures').values({ minute, failures: 1000 }).execute();
    try {
      expect((await pair({ code: made, worldId: 'w' })).status).toBe(404);
      await db
        .updateTable('pairingCodes')
        .set({ createdFrom: '127.0.0.1' })
        .where('accountId', '=', own.accountId)
        .execute();
      expect((await pair({ code: made, worldId: 'w' })).status).toBe(200);
    } finally {
      await db.deleteFrom('pairingFailures').execute();
    }
  });

  it('counts each wrong code, and no text that cannot be one', async () => {
    const before = await countFailures();
    for (const wrong of ['AAAAAA', 'AAAAAB', 'not a code']) await pair({ code: wrong, worldId: 'w' });
    expect(await countFailures()).toBe(before + 2);
  });

  async function countFailures(): Promise<number> {
    const rows = await cluster.db.selectFrom('pairingFailures').select('failures').execute();
    return rows.reduce((sum, row) => sum + row.failures, 0);
  }
});

describe('a world', () => {
  it('is named in the dashboard, and the name wins', async () => {
    const own = await createAccount(url);
    const key = await own.createKey();
    const { clientId } = await own.pair();
    const named = await own.as('PATCH', `/auth/known-clients/${clientId}`, { customName: ' Tuesday ' });
    expect(named.body['customName']).toBe('Tuesday');
    expect((await withKey(key)).body['clients']).toMatchObject([{ clientId, customName: 'Tuesday' }]);
  });
});
