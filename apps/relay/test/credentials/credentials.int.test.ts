import { scopeNames } from '@tabletop-relay/contract';
import { measureRunningTime } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    const { apiKey, key, ...shown } = made.body;
    expect(key).toBe(apiKey);
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
    const module = await connectModule(url, first);
    expect((await giveBack('nonsense')).status).toBe(200);
    expect((await giveBack(first.token)).status).toBe(200);
    // Its module asked for it, so it is no revocation.
    expect(await module.closed).toMatchObject({ code: 1000 });
    expect((await giveBack(first.token)).status).toBe(200);
    expect((await own.as('GET', '/auth/connection-tokens')).body['items']).toHaveLength(1);
    expect((await own.as('GET', '/auth/known-clients')).body['items']).toHaveLength(2);
  });
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
