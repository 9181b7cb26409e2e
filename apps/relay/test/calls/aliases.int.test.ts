import { scopeAliases } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let module: FakeModule;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await startInstances({ config: { fifthEditionSystems: ['a-fork'] } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  module = await connectModule(url, await account.pair(), ({ requestId: _id, ...command }) => ({
    data: command,
  }));
  headers = { 'x-api-key': account.masterKey };
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

/** An answer without what differs from call to call. */
const plain = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId: _id, traceId: _trace, ...rest } = body;
  return { status, ...rest };
};

describe('a program of another relay', () => {
  it.each([
    ['POST', 'skill-check?skill=prc', { actorUuid: 'Actor.a' }],
    ['POST', 'skill-check', { actorUuid: 'Actor.a' }],
    ['GET', 'concentration?actorUuid=Actor.a', undefined],
    ['DELETE', 'skill-check', undefined],
    ['GET', 'nothing', undefined],
  ])('is answered at its own path as at ours: %s /dnd5e/%s', async (method, path, body) => {
    const ask = (prefix: string) => call(url, method, `${prefix}/${path}`, { body, headers });
    expect(plain(await ask('/dnd5e'))).toEqual(plain(await ask('/sys5e')));
  });

  it('names the encounter by either name in a query', async () => {
    const moved = await call(url, 'POST', '/next-turn?encounterId=e1', { headers });
    expect(moved.body).toMatchObject({ data: { type: 'next-turn', encounterId: 'e1' } });
  });

  it('asks for a key by its own scopes, and the person sees ours', async () => {
    const scopes = ['dnd5e', 'execute-js', 'world:info'];
    const asked = await call(url, 'POST', '/auth/key-request', { body: { appName: 'Old bot', scopes } });
    const code = String(asked.body['code']);
    const shown = await account.as('GET', `/auth/key-request/${code}`);
    const ours = ['sys5e:read', 'sys5e:write', 'roll:execute', 'script:execute', 'world:read'];
    expect(shown.body['scopes']).toEqual(ours);
    await account.as('POST', `/auth/key-request/${code}/approve`);
    const { body } = await call(url, 'GET', `/auth/key-request/${code}/status`);
    expect(body['scopes']).toEqual([...ours, ...scopes]);
  });

  it('is told an alias for several scopes only where it got all of them', async () => {
    const scopes = ['dnd5e', 'search', 'chat:read'];
    const asked = await call(url, 'POST', '/auth/key-request', { body: { appName: 'Old bot', scopes } });
    const code = String(asked.body['code']);
    const granted = ['sys5e:read', 'roll:execute', 'search:read'];
    await account.as('POST', `/auth/key-request/${code}/approve`, { scopes: granted });
    const { body } = await call(url, 'GET', `/auth/key-request/${code}/status`);
    expect(body['scopes']).toEqual([...granted, 'search']);
    const keys = await account.as('GET', '/auth/api-keys?limit=1');
    expect(keys.body['items']).toMatchObject([{ scopes: granted }]);
  });

  it('binds a key to worlds by its own fields, and reads the key by its own name', async () => {
    const { clientId } = await account.pair();
    const terms = { name: 'Old bot', scopes: ['clients:read'] };
    for (const worlds of [{ scopedClientId: clientId }, { scopedClientIds: [clientId] }]) {
      const { body } = await account.as('POST', '/auth/api-keys', { ...terms, ...worlds });
      expect(body).toMatchObject({ clientIds: [clientId], key: body['apiKey'] });
    }
    const made = await account.as('POST', '/auth/api-keys', { ...terms, scopedClientId: null });
    expect(made.body).toMatchObject({ clientIds: null });
    for (const worlds of [
      { scopedClientIds: [] },
      { scopedClientId: 7 },
      { scopedClientId: 'x', clientIds: null },
    ]) {
      const refused = await account.as('POST', '/auth/api-keys', { ...terms, ...worlds });
      expect([worlds, refused.status]).toEqual([worlds, 400]);
    }
    // It would be a key for all worlds.
    for (const name of ['scopedClientId', 'scopedClientIds', 'clientIds'])
      expect(await account.as('POST', `/auth/api-keys?${name}=${clientId}`, terms)).toMatchObject({
        status: 400,
        body: { errors: [{ field: name, place: 'query', message: 'belongs in the body' }] },
      });
  });

  it('finds the words that it looks for in refusals', async () => {
    const named = { name: 'x', scopes: ['clients:read', 'dnd6e'] };
    expect(await account.as('POST', '/auth/api-keys', named)).toMatchObject({
      status: 400,
      body: { error: 'Invalid scope: dnd6e', errors: [{ field: 'scopes.1' }] },
    });
    const key = await account.createKey({ scopes: ['clients:read'] });
    expect(await call(url, 'GET', '/players', { headers: { 'x-api-key': key } })).toMatchObject({
      status: 403,
      body: { error: 'API key lacks required scope: user:read', detail: 'This needs the scope user:read.' },
    });
  });

  it('finds the tabletop’s version by its own name', async () => {
    const { body } = await call(url, 'GET', '/clients', { headers });
    const [world] = body['clients'] as Record<string, unknown>[];
    expect(world).toHaveProperty('foundryVersion', world?.['tabletopVersion']);
  });

  it('may name them wherever scopes are named', async () => {
    const made = await account.as('POST', '/auth/api-keys', { name: 'Old bot', scopes: ['search'] });
    expect(made.body).toMatchObject({ scopes: ['search:read'] });
    const changed = await account.as('PATCH', `/auth/api-keys/${String(made.body['id'])}`, {
      scopes: ['dnd5e'],
    });
    expect(changed.body).toMatchObject({ scopes: ['sys5e:read', 'sys5e:write', 'roll:execute'] });
    expect(await account.as('POST', '/auth/api-keys', { name: 'x', scopes: ['dnd6e'] })).toMatchObject({
      status: 400,
    });
  });

  it('finds its names in no document', async () => {
    const response = await fetch(`${url}/openapi.json`);
    const document = await response.text();
    expect(document).not.toContain('dnd5e/');
    expect(document).not.toContain('x-foundry-url');
    // Other words of the same text are no scopes: `search` is an operation, and an example has the id of a rules system.
    const scopes = document.replaceAll('"id":"dnd5e"', '');
    for (const alias of Object.keys(scopeAliases).filter((name) => /[:]|dnd/.test(name)))
      expect(scopes).not.toContain(`"${alias}"`);
    const { paths } = JSON.parse(document) as { paths: Record<string, unknown> };
    expect(Object.keys(paths).filter((path) => path.startsWith('/dnd5e'))).toEqual([]);
  });
});

describe('a world of another rules system', () => {
  const pick = ({ reason, success }: Record<string, unknown>) => ({ reason, success });
  const askWorld = async (systemId: string) => {
    const pairing = await account.pair({ systemId });
    const metadata = systemId ? { systemId, systemTitle: 'A system' } : {};
    const joined = await connectModule(url, pairing, () => ({ data: {}, users: [] }), { metadata });
    const world = `clientId=${pairing.clientId}`;
    const check = `/sys5e/skill-check?${world}&actorUuid=Actor.a&skill=prc`;
    const { status, body } = await call(url, 'POST', check, { headers });
    const players = await call(url, 'GET', `/players?${world}`, { headers });
    await joined.close();
    expect(players.status).toBe(200);
    return { status, ...pick(body), commands: joined.count('skill-check') };
  };

  it('is not asked, and its caller is told at once', async () => {
    expect(await askWorld('pf2e')).toEqual({
      status: 422,
      reason: 'wrong_system',
      success: false,
      commands: 0,
    });
  });

  it.each(['dnd5e', 'sys5e', 'a-fork', ''])('is not one that says it plays by %j', async (systemId) => {
    expect(await askWorld(systemId)).toMatchObject({ status: 200, commands: 1 });
  });
});
