import { operations, scopeNames, scopesBeyondUsers } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let plain: Pairing;
let careful: Pairing;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
  plain = await account.pair();
  careful = await account.pair();
  module = await connectModule(url, careful, () => ({ users: [] }));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const scopes = scopeNames.filter((scope) => !scopesBeyondUsers.includes(scope));
const make = (terms: object) => account.as('POST', '/auth/api-keys', { name: 'bound', scopes, ...terms });
const edit = (id: unknown, terms: object) => account.as('PATCH', `/auth/api-keys/${String(id)}`, terms);

async function bindTo({ clientId }: Pairing): Promise<{ id: string; key: string }> {
  const { body } = await make({ actingUserIds: { [clientId]: 'cleo' } });
  return { id: String(body['id']), key: String(body['apiKey']) };
}

const ask = (key: unknown, path: string, method = 'GET', body?: object) =>
  call(url, method, path, { headers: { 'x-api-key': String(key) }, body });

describe('the terms of a key', () => {
  it('name a user of each world, which are then the worlds that it reaches', async () => {
    const [one, other] = [plain.clientId, careful.clientId];
    const made = await make({ actingUserIds: { [one]: 'cleo', [other]: 'ben' } });
    expect(made.body).toMatchObject({
      clientIds: expect.arrayContaining([one, other]) as unknown,
      actingUserIds: { [one]: 'cleo', [other]: 'ben' },
      scopedUserIds: { [one]: 'cleo', [other]: 'ben' },
      actingUserId: null,
      scopedUserId: null,
    });
    const id = made.body['id'];
    expect((await edit(id, { clientIds: [one] })).body).toMatchObject({
      clientIds: [one],
      actingUserIds: { [one]: 'cleo' },
      actingUserId: 'cleo',
    });
    expect((await edit(id, { actingUserId: 'dev' })).body).toMatchObject({ actingUserIds: { [one]: 'dev' } });
    expect((await edit(id, { actingUserIds: null })).body).toMatchObject({
      clientIds: [one],
      actingUserIds: null,
      actingUserId: null,
    });
  });

  it('have the names of programs that were written for another relay', async () => {
    const { clientId } = plain;
    const expected = { clientIds: [clientId], actingUserIds: { [clientId]: 'cleo' } };
    const byId = await make({ scopedClientId: clientId, scopedUserId: 'cleo' });
    expect(byId.body).toMatchObject({ ...expected, scopedUserId: 'cleo' });
    expect((await make({ scopedUserIds: { [clientId]: 'cleo' } })).body).toMatchObject(expected);
  });

  it.each<[string, () => object, string]>([
    ['a user and no world', () => ({ actingUserId: 'cleo' }), 'actingUserId'],
    ['one user for several', () => ({ actingUserId: 'cleo', clientIds: [plain.clientId, careful.clientId] }), 'actingUserId'],
    ['other worlds', () => ({ clientIds: [careful.clientId], actingUserIds: { [plain.clientId]: 'cleo' } }), 'actingUserIds'],
    ['fewer worlds', () => ({ clientIds: [plain.clientId], actingUserIds: { [plain.clientId]: 'a', [careful.clientId]: 'b' } }), 'clientIds'],
    ['all worlds', () => ({ clientIds: null, actingUserIds: { [plain.clientId]: 'cleo' } }), 'clientIds'],
    ['two users', () => ({ actingUserId: 'ben', actingUserIds: { [plain.clientId]: 'cleo' } }), 'actingUserId'],
    ['nobody', () => ({ actingUserIds: {} }), 'actingUserIds'],
    ['hidden characters', () => ({ actingUserIds: { [plain.clientId]: 'cl\u202eeo' } }), 'actingUserIds'],
    ['a name of both kinds', () => ({ actingUserId: 'a', scopedUserId: 'a', clientIds: [plain.clientId] }), 'scopedUserId'],
  ])('with %s are refused', async (_what, terms, field) => {
    expect(await make(terms())).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field }] },
    });
  }); // prettier-ignore

  it('may not leave a world without a user', async () => {
    const { id } = await bindTo(plain);
    for (const clientIds of [[careful.clientId], null])
      expect((await edit(id, { clientIds })).status).toBe(400);
    expect((await edit(id, { name: 'renamed' })).body).toMatchObject({ actingUserId: 'cleo' });
  });

  it('name no world of others', async () => {
    const stranger = await createAccount(url);
    const { clientId } = await stranger.pair();
    expect(await make({ actingUserIds: { [clientId]: 'cleo' } })).toMatchObject({
      status: 404,
      body: { code: 'client_not_found' },
    });
  });

  it.each(scopesBeyondUsers)('never hold %s beside a user', async (scope) => {
    const { clientId } = plain;
    const bound = { actingUserIds: { [clientId]: 'cleo' } };
    const refused = { status: 400, body: { errors: [{ field: 'scopes' }] } };
    expect(await make({ ...bound, scopes: [scope] })).toMatchObject(refused);
    const { id } = await bindTo(plain);
    expect(await edit(id, { scopes: ['clients:read', scope] })).toMatchObject(refused);
    const wide = await make({ scopes: [scope], clientIds: [clientId] });
    expect(await edit(wide.body['id'], bound)).toMatchObject(refused);
    // A row that is older than the rule.
    const { id: old, key } = await bindTo(plain);
    await cluster.db
      .updateTable('apiKeys')
      .set({ scopes: [scope, 'user:read'] })
      .where('id', '=', old)
      .execute();
    const path = operations.find((operation) => operation.scope === scope);
    const used = path
      ? await ask(key, `${path.path.replace(':uuid', 'x')}?clientId=${clientId}`, path.method)
      : await ask(key, '/start-session', 'POST', {});
    expect(used).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    expect((await account.as('POST', `/auth/api-keys/${old}/roll`, {})).status).toBe(400);
  });

  it('are those of no world to a release that does not know of users, and so the database has them', async () => {
    const { id } = await bindTo(plain);
    const { db } = cluster;
    const row = await db.selectFrom('apiKeys').select('clientIds').where('id', '=', id).executeTakeFirst();
    expect(row?.clientIds).toEqual([]);
    for (const clientIds of [null, [plain.clientId]])
      await expect(
        db.updateTable('apiKeys').set({ clientIds }).where('id', '=', id).execute(),
      ).rejects.toThrow('api_keys_acting_users');
  });

  it('lose a world that is deleted, and reach none when it was the last', async () => {
    const gone = await account.pair();
    const { id, key } = await bindTo(gone);
    await account.as('DELETE', `/auth/known-clients/${gone.clientId}`);
    const { body } = await account.as('GET', '/auth/api-keys?limit=1');
    expect(body['items']).toMatchObject([{ id, clientIds: [], actingUserIds: {} }]);
    expect(await ask(key, '/players')).toMatchObject({ body: { code: 'client_required' } });
    expect(await ask(key, `/players?clientId=${plain.clientId}`)).toMatchObject({ status: 404 });
  });
});

describe('a key request', () => {
  const request = async (more: object) => {
    const body = { appName: 'Companion', scopes: ['user:read'], ...more };
    return await call(url, 'POST', '/auth/key-request', { body });
  };
  const decide = (code: unknown, body: object = {}) =>
    account.as('POST', `/auth/key-request/${String(code)}/approve`, body);
  const collect = async (code: unknown) =>
    (await call(url, 'GET', `/auth/key-request/${String(code)}/status`)).body;

  it('suggests a user, and whoever approves may choose another one, or nobody', async () => {
    const { clientId } = plain;
    const suggestion = { clientIds: [clientId], scopedUserId: 'cleo' };
    const kept = (await request(suggestion)).body['code'];
    expect((await account.as('GET', `/auth/key-request/${String(kept)}`)).body).toMatchObject({
      suggestedActingUserIds: { [clientId]: 'cleo' },
    });
    await decide(kept);
    expect(await collect(kept)).toMatchObject({
      clientIds: [clientId],
      actingUserIds: { [clientId]: 'cleo' },
      scopedUserId: 'cleo',
    });
    const changed = (await request(suggestion)).body['code'];
    await decide(changed, { actingUserIds: { [careful.clientId]: 'ben' } });
    const { apiKey } = await collect(changed);
    expect((await ask(apiKey, '/players')).status).toBe(200);
    expect(module.received.findLast(({ type }) => type === 'players')).toMatchObject({ userId: 'ben' });
    const dropped = (await request(suggestion)).body['code'];
    expect((await decide(dropped, { clientIds: null })).status).toBe(400);
    await decide(dropped, { clientIds: null, actingUserIds: null });
    expect(await collect(dropped)).toEqual({
      status: 'approved',
      apiKey: expect.any(String) as unknown,
      scopes: ['user:read'],
      clientIds: [],
    });
  });

  it('never asks for more than a user may, and is never given more', async () => {
    const bound = { clientIds: [plain.clientId], actingUserId: 'cleo' };
    for (const scope of scopesBeyondUsers)
      expect((await request({ ...bound, scopes: [scope] })).status).toBe(400);
    const { code } = (await request({ scopes: ['user:read', 'macro:write'] })).body;
    const refused = await decide(code, bound);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'scopes' }] } });
    expect((await decide(code, { ...bound, scopes: ['user:read'] })).status).toBe(200);
  });
});
