// oxlint-disable max-lines -- It is one table of all routes, and its judge.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectModule, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { addTotp } from '../second-factor.ts';

let cluster: TestInstances;
let url: string;
let owner: TestAccount;
let stranger: TestAccount;
/** One of each of the owner's objects. */
const objects: Record<string, string> = {};
let decidedCode = '';

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
  owner = await createAccount(url);
  stranger = await createAccount(url);
  objects['clientId'] = (await owner.pair()).clientId;
  await owner.createKey();
  const idOf = async (path: string) =>
    ((await owner.as('GET', path)).body['items'] as { id: string }[])[0]?.id ?? '';
  objects['api-keys'] = await idOf('/auth/api-keys');
  objects['connection-tokens'] = await idOf('/auth/connection-tokens');
  objects['sessions'] = await idOf('/auth/sessions');
  objects['second-factors'] = (await addTotp(owner, cluster.db)).id;
  const asked = await call(url, 'POST', '/auth/key-request', {
    body: { appName: 'Bot', scopes: ['clients:read'] },
  });
  decidedCode = asked.body['code'] as string;
  await owner.as('POST', `/auth/key-request/${decidedCode}/approve`);
});
afterAll(() => cluster.stop());

type Row = [route: string, path: () => string, unknown: string, body?: object | (() => object)];

/** Every account route that names an object: the stranger's try, and the same with an id that nobody has. */
const rows: Row[] = [
  [
    'DELETE /auth/sessions/{id}',
    () => `/auth/sessions/${objects['sessions']}`,
    '/auth/sessions/none',
    () => ({ password: stranger.password }),
  ],
  [
    'PATCH /auth/api-keys/{id}',
    () => `/auth/api-keys/${objects['api-keys']}`,
    '/auth/api-keys/none',
    { name: 'mine' },
  ],
  ['DELETE /auth/api-keys/{id}', () => `/auth/api-keys/${objects['api-keys']}`, '/auth/api-keys/none'],
  [
    'PATCH /auth/connection-tokens/{id}',
    () => `/auth/connection-tokens/${objects['connection-tokens']}`,
    '/auth/connection-tokens/none',
    { name: 'mine' },
  ],
  [
    'DELETE /auth/connection-tokens/{id}',
    () => `/auth/connection-tokens/${objects['connection-tokens']}`,
    '/auth/connection-tokens/none',
  ],
  [
    'PATCH /auth/known-clients/{clientId}',
    () => `/auth/known-clients/${objects['clientId']}`,
    '/auth/known-clients/none',
    { customName: 'mine' },
  ],
  [
    'DELETE /auth/known-clients/{clientId}',
    () => `/auth/known-clients/${objects['clientId']}`,
    '/auth/known-clients/none',
  ],
  [
    'PATCH /auth/second-factors/{id}',
    () => `/auth/second-factors/${objects['second-factors']}`,
    '/auth/second-factors/none',
    { name: 'mine' },
  ],
  [
    'DELETE /auth/second-factors/{id}',
    () => `/auth/second-factors/${objects['second-factors']}`,
    '/auth/second-factors/none',
    () => ({ password: stranger.password }),
  ],
  [
    'GET /auth/key-request/{code}',
    () => `/auth/key-request/${decidedCode}`,
    `/auth/key-request/${'0'.repeat(26)}`,
  ],
];

/** Routes with an object in the path where a stranger is not one: who holds the code may decide it. */
const notOwned = [
  'POST /auth/key-request/{code}/approve',
  'POST /auth/key-request/{code}/deny',
  'GET /auth/key-request/{code}/status',
  // Administrators act on any account; who is none is refused: tested with administration.
  'POST /admin/accounts/{id}/force-rotation',
  'POST /admin/accounts/{id}/disable',
  'POST /admin/accounts/{id}/enable',
  'POST /admin/accounts/{id}/end-sessions',
  'GET /admin/accounts/{id}/sessions',
  'DELETE /admin/accounts/{id}/sessions/{sessionId}',
];

describe('what belongs to another account', () => {
  it('is covered here for every account route that names an object', () => {
    const { paths } = cluster.instances[0].relay.app.swagger() as { paths: Record<string, object> };
    const routes = Object.entries(paths)
      .filter(([path]) => /^\/(auth|admin)\//.test(path) && path.includes('{'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    expect([...rows.map(([route]) => route), ...notOwned].sort()).toEqual(routes.sort());
  });

  it.each(rows)(
    '%s: a stranger gets what an unknown id gets, and nothing changes',
    async (route, path, unknown, given) => {
      const body = typeof given === 'function' ? (given() as object) : given;
      const [method = ''] = route.split(' ');
      const before = await snapshot();
      const theirs = await stranger.as(method, path(), body);
      const nobodys = await stranger.as(method, unknown, body);
      expect(theirs.status).toBe(404);
      expect(withoutTrace(theirs.body)).toEqual(withoutTrace(nobodys.body));
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each<[string, string, () => object]>([
    [
      'POST',
      '/auth/api-keys',
      () => ({ name: 'k', scopes: ['clients:read'], clientIds: [objects['clientId']] }),
    ],
    ['POST', '/auth/pairing-codes', () => ({ clientId: objects['clientId'] })],
    ['POST', '/auth/pairing-codes', () => ({ allowedTargetClients: [objects['clientId']] })],
  ])('%s %s cannot be bound to a world of another', async (method, path, body) => {
    const theirs = await stranger.as(method, path, body());
    const text = JSON.stringify(body()).replace(objects['clientId'] ?? '', 'nobodys-world');
    const nobodys = await stranger.as(method, path, JSON.parse(text));
    expect(theirs).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
    expect(
      JSON.stringify(withoutTrace(theirs.body)).replaceAll(objects['clientId'] ?? '', 'nobodys-world'),
    ).toBe(JSON.stringify(withoutTrace(nobodys.body)));
  });

  it('nor bound there later: a key, a token, an approval', async () => {
    const clientIds = [objects['clientId']];
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
    for (const path of [
      '/auth/sessions',
      '/auth/api-keys',
      '/auth/connection-tokens',
      '/auth/known-clients',
      '/auth/connection-logs',
      '/auth/remote-request-logs',
      '/auth/audit-log',
      '/auth/export',
    ]) {
      const text = JSON.stringify((await stranger.as('GET', path)).body);
      for (const id of [...Object.values(objects), owner.accountId]) expect(text, path).not.toContain(id);
    }
    const filtered = await stranger.as('GET', `/auth/connection-logs?client=${objects['clientId']}`);
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
        expect(JSON.stringify(body)).not.toContain(objects['clientId']);
      }
      await end();
    },
  );
});

describe('every account route', () => {
  const open = new Set([
    'POST /auth/register',
    'POST /auth/login',
    'POST /auth/regenerate-key',
    'POST /auth/forgot-password',
    'POST /auth/reset-password',
    'POST /auth/pair',
    'POST /auth/key-request',
    'GET /auth/key-request/{code}/status',
    'POST /auth/key-request/exchange',
  ]);

  it('but the documented ones refuses who is not signed in, with a key or without', async () => {
    const { paths } = cluster.instances[0].relay.app.swagger() as { paths: Record<string, object> };
    const key = await owner.createKey();
    const answered: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      if (!/^\/(auth|admin)\//.test(path)) continue;
      for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
        const target = path.replace(/\{\w+\}/, 'x');
        const bare = await call(url, method, target);
        const keyed = await call(url, method, target, { headers: { 'x-api-key': key } });
        if (bare.status === 401 && keyed.status === 401 && bare.body['code'] === 'session_missing') continue;
        answered.push(`${method} ${path}`);
      }
    }
    expect(answered.sort()).toEqual([...open].sort());
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

/** What the owner has, with nothing that time alone changes. */
async function snapshot() {
  const paths = ['/auth/sessions', '/auth/api-keys', '/auth/connection-tokens', '/auth/known-clients'];
  const lists = await Promise.all(paths.map((path) => owner.as('GET', path)));
  return lists.map(({ status, body }) => ({
    status,
    items: (body['items'] as Record<string, unknown>[]).map(({ lastUsedAt: _lastUsedAt, ...item }) => item),
  }));
}
