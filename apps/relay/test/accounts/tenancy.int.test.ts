// oxlint-disable max-lines -- It is one question, asked of every route.
import { endpoints, isEventStream } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import type { Random } from '@tabletop-relay/testing';
import { addTotp, call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Schema } from '../attack/matrix/routes.ts';
import { sample } from '../attack/sample.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const all = Object.values<Endpoint>(endpoints).filter(({ path }) => /^\/(auth|admin)\//.test(path));
const printRoute = ({ method, path }: Endpoint) => `${method} ${path}`;
const isNamed = ({ path }: Endpoint) => path.includes(':');

/** Who holds the code of a request may decide it, whatever the account. */
const notOwned = [
  'POST /auth/key-request/:code/approve',
  'POST /auth/key-request/:code/deny',
  'POST /auth/pair-request/:code/approve',
  'POST /auth/pair-request/:code/deny',
];

/** Every endpoint that names an object of who is signed in. Administrators are tested on their own. */
const rows = all
  .filter((endpoint) => endpoint.auth === 'session' && isNamed(endpoint))
  .map((endpoint) => [printRoute(endpoint), endpoint] as const)
  .filter(([route]) => !notOwned.includes(route));

/** What shows a person all that is their own. */
const readable = all.filter(
  (endpoint) =>
    endpoint.auth === 'session' &&
    endpoint.method === 'GET' &&
    !isNamed(endpoint) &&
    !isEventStream(endpoint.answer),
);

/** The path of the list of such objects: `/auth/sessions` of `/auth/sessions/:id`. */
const listOf = ({ path }: Endpoint) => path.slice(0, path.indexOf('/:'));

const nobodys = '0'.repeat(26);

let cluster: TestInstances;
let url: string;
let owner: TestAccount;
let stranger: TestAccount;
let clientId: string;
/** One of each of the owner's objects, by the path of its list. */
const objects: Record<string, string> = {};

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
  owner = await createAccount(url);
  stranger = await createAccount(url);
  ({ clientId } = await owner.pair());
  await makeCall(await owner.createKey());
  await addTotp(owner, cluster.db);
  const asked = await call(url, 'POST', '/auth/key-request', {
    body: { appName: 'Bot', scopes: ['clients:read'] },
  });
  const code = String(asked.body['code']);
  await owner.as('POST', `/auth/key-request/${code}/approve`);
  const paired = await call(url, 'POST', '/auth/pair-request', { body: { worldId: 'w' } });
  const pairCode = String(paired.body['code']);
  await owner.as('POST', `/auth/pair-request/${pairCode}/approve`);
  for (const [, endpoint] of rows) {
    const { body } = await owner.as('GET', listOf(endpoint));
    const [first] = (body['items'] ?? []) as Record<string, string>[];
    const id = first?.[/:(\w+)/.exec(endpoint.path)?.[1] ?? ''];
    if (id !== undefined) objects[listOf(endpoint)] = id;
  }
  objects['/auth/key-request'] = code;
  objects['/auth/pair-request'] = pairCode;
});
afterAll(() => cluster.stop());

/** Resolves when the call, which finds the world offline, is in the call log. */
async function makeCall(apiKey: string): Promise<void> {
  await call(url, 'POST', `/next-turn?clientId=${clientId}`, { headers: { 'x-api-key': apiKey } });
  await vi.waitFor(async () => {
    expect((await owner.as('GET', '/auth/calls')).body['items']).toHaveLength(1);
  }, 10_000);
}

/** Takes the first of everything, and nothing that is optional. */
const least: Random = {
  seed: 0,
  next: () => 0,
  integer: () => 0,
  pick: ([first]) => first as never,
  chance: () => false,
  shuffle: (list) => [...list],
};

/** The stranger's try at an object, with all that the endpoint asks for beside its id. */
function tryOf({ method, path, query, body }: Endpoint, id: string) {
  const schema = query ?? body;
  const known = (field: string) => (field === 'password' ? stranger.password : undefined);
  const fields = schema && sample(JSON.parse(JSON.stringify(schema)) as Schema, least, known);
  const target = path.replaceAll(/:\w+/g, id);
  if (method !== 'GET') return stranger.as(method, target, fields);
  return stranger.as(method, `${target}?${new URLSearchParams(fields as Record<string, string>).toString()}`);
}

describe('what belongs to another account', () => {
  it('is covered here for every account route that names an object', () => {
    const { paths } = cluster.instances[0].relay.app.swagger() as { paths: Record<string, object> };
    const routes = Object.entries(paths)
      .filter(([path]) => /^\/(auth|admin)\//.test(path) && path.includes('{'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const known = all.filter(isNamed).map((one) => printRoute(one).replaceAll(/:(\w+)/g, '{$1}'));
    expect(known.sort()).toEqual(routes.sort());
    expect(all.map(printRoute)).toEqual(expect.arrayContaining(notOwned));
    expect(Object.keys(objects)).toEqual(
      expect.arrayContaining([
        '/auth/sessions', '/auth/api-keys', '/auth/connection-tokens', '/auth/known-clients', '/auth/second-factors',
        '/auth/calls',
      ]),
    ); // prettier-ignore
  });

  it.each(rows)(
    '%s: a stranger gets what an unknown id gets, and nothing changes',
    async (_route, endpoint) => {
      // Objects that no list shows: none of the owner's other ids opens them either.
      const own = objects[listOf(endpoint)];
      const before = await snapshot();
      const unknown = await tryOf(endpoint, nobodys);
      for (const id of own === undefined ? Object.values(objects) : [own]) {
        const theirs = await tryOf(endpoint, id);
        expect(theirs.status).toBe(404);
        expect(withoutTrace(theirs.body)).toEqual(withoutTrace(unknown.body));
      }
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each<[string, string, () => object]>([
    ['POST', '/auth/api-keys', () => ({ name: 'k', scopes: ['clients:read'], clientIds: [clientId] })],
    ['POST', '/auth/pairing-codes', () => ({ clientId: clientId })],
    ['POST', '/auth/pairing-codes', () => ({ allowedTargetClients: [clientId] })],
  ])('%s %s cannot be bound to a world of another', async (method, path, body) => {
    const theirs = await stranger.as(method, path, body());
    const text = JSON.stringify(body()).replace(clientId, 'nobodys-world');
    const nobodys = await stranger.as(method, path, JSON.parse(text));
    expect(theirs).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
    expect(JSON.stringify(withoutTrace(theirs.body)).replaceAll(clientId, 'nobodys-world')).toBe(
      JSON.stringify(withoutTrace(nobodys.body)),
    );
  });

  it('nor bound there later: a key, a token, an approval', async () => {
    const clientIds = [clientId];
    await stranger.createKey();
    await stranger.pair();
    const idOf = async (path: string) =>
      ((await stranger.as('GET', path)).body['items'] as { id: string }[])[0]?.id ?? '';
    const asked = await call(url, 'POST', '/auth/key-request', {
      body: { appName: 'Bot', scopes: ['clients:read'] },
    });
    const tries = [
      await stranger.as('PATCH', `/auth/api-keys/${await idOf('/auth/api-keys')}`, { clientIds }),
      await stranger.as('PATCH', `/auth/connection-tokens/${await idOf('/auth/connection-tokens')}`, {
        allowedTargetClients: clientIds,
      }),
      await stranger.as('POST', `/auth/key-request/${String(asked.body['code'])}/approve`, { clientIds }),
    ];
    for (const answer of tries)
      expect(answer).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
  });

  it('is in no list, log or export of a stranger', async () => {
    const module = await connectModule(url, await owner.pair());
    await module.close();
    expect(readable.length).toBeGreaterThan(6);
    for (const { path } of readable) {
      const text = JSON.stringify((await stranger.as('GET', path)).body);
      for (const id of [...Object.values(objects), owner.accountId]) expect(text, path).not.toContain(id);
    }
    const filtered = await stranger.as('GET', `/auth/connection-logs?client=${clientId}`);
    expect(filtered.body['items']).toEqual([]);
  });

  it.each(['online', 'offline'] as const)(
    'is out of reach of a key while it is %s, on any instance, with the same answer as what is nobody’s',
    async (state) => {
      const key = await stranger.createKey();
      const { clientId, countCalls, end } = await openWorld(state);
      for (const instance of cluster.instances) {
        const ask = (asked: string) =>
          call(instance.url, 'GET', `/players?clientId=${asked}`, { headers: { 'x-api-key': key } });
        const theirs = await ask(clientId);
        const nobodys = await ask('nobodys-world');
        expect(theirs).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
        expect(JSON.stringify(withoutTrace(theirs.body)).replaceAll(clientId, 'nobodys-world')).toBe(
          JSON.stringify(withoutTrace(nobodys.body)),
        );
      }
      expect(countCalls()).toBe(0);
      await end();
    },
  );

  it.each(['online', 'offline'] as const)(
    'is not in the list of a stranger’s key while it is %s, on any instance',
    async (state) => {
      const key = await stranger.createKey();
      const own = await stranger.pair();
      const { clientId, end } = await openWorld(state);
      for (const instance of cluster.instances) {
        const { body } = await call(instance.url, 'GET', '/clients', { headers: { 'x-api-key': key } });
        const listed = (body['clients'] as { clientId: string }[]).map((client) => client.clientId);
        expect(listed).toContain(own.clientId);
        expect(listed).not.toContain(clientId);
        expect(JSON.stringify(body)).not.toContain(clientId);
      }
      await end();
    },
  );
});

describe('every account route', () => {
  it('but the documented ones refuses who is not signed in, with a key or without', async () => {
    const key = await owner.createKey();
    const answered: string[] = [];
    for (const endpoint of all) {
      const target = endpoint.path.replaceAll(/:\w+/g, 'x');
      const bare = await call(url, endpoint.method, target);
      const keyed = await call(url, endpoint.method, target, { headers: { 'x-api-key': key } });
      if (bare.status === 401 && keyed.status === 401 && bare.body['code'] === 'session_missing') continue;
      answered.push(printRoute(endpoint));
    }
    const open = all.filter(({ auth }) => auth === 'none' || auth === 'apiKey').map(printRoute);
    expect(open.length).toBeGreaterThan(0);
    expect(answered).toEqual(open);
  });
});

/** A world of the owner, with the number of calls that reached it. */
async function openWorld(state: 'online' | 'offline') {
  const pairing = await owner.pair();
  const module = await connectModule(url, pairing, () => ({ data: {} }));
  if (state === 'offline') await module.close();
  return {
    clientId: pairing.clientId,
    countCalls: () => module.count('players'),
    end: () => module.close(),
  };
}

function withoutTrace({ traceId: _traceId, ...rest }: Record<string, unknown>) {
  return rest;
}

/** What the owner has, with nothing that time alone changes: a call that was made before is counted a while later. */
async function snapshot() {
  const paths = Object.keys(objects).filter((path) => readable.some((endpoint) => endpoint.path === path));
  const lists = await Promise.all(paths.map((path) => owner.as('GET', path)));
  return lists.map(({ status, body }) => ({
    status,
    items: (body['items'] as Record<string, unknown>[]).map(
      ({ lastUsedAt: _lastUsedAt, usedThisMonth: _usedThisMonth, ...item }) => item,
    ),
  }));
}
