import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from '../world/world.ts';
import { createLiveLink } from './live-link.ts';
import { createPageServer } from './page-server.ts';

const page = '<title>The chapel</title>';
const passwords = { Ada: 'bells', Ben: 'ring' };

let pageDir: string;
let server: FastifyInstance;

beforeAll(async () => {
  pageDir = await mkdtemp(join(tmpdir(), 'demo-world-'));
  await writeFile(join(pageDir, 'index.html'), page);
});

afterAll(() => rm(pageDir, { recursive: true }));

const createServer = async (more: { passwords?: Record<string, string> } = {}) => {
  const world = createWorld({ seed: 1 });
  const liveLink = createLiveLink(world, () => undefined);
  return await createPageServer({ pageDir, liveLink, hosts: ['localhost'], world, ...more });
};

beforeAll(async () => {
  server = await createServer({ passwords });
});

afterAll(() => server.close());

async function ask(
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  more: { payload?: object; cookie?: string } = {},
) {
  const { payload, cookie } = more;
  const headers = { host: 'localhost', ...(cookie && { cookie }) };
  const {
    statusCode,
    body,
    headers: told,
  } = await server.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: statusCode, body, json: () => JSON.parse(body) as unknown, headers: told };
}

const logIn = (user: unknown, password: unknown, more: object = {}) =>
  ask('POST', '/login', { payload: { user, password, ...more } });

/** The cookie of somebody who has logged in. */
async function cookieOf(user: keyof typeof passwords): Promise<string> {
  const { headers } = await logIn(user, passwords[user]);
  return String(headers['set-cookie']).split(';')[0]!;
}

describe('the log-in page', () => {
  test('is the one page that the world has', async () => {
    expect(await ask('GET', '/login')).toMatchObject({ status: 200, body: page });
  });

  test('names those who may log in, and none of their passwords', async () => {
    expect((await ask('GET', '/users')).json()).toEqual(['Ada', 'Ben']);
  });

  test('gives the right password a cookie that no script reads and no other site sends', async () => {
    const { status, headers, json } = await logIn('Ben', 'ring');
    expect([status, json()]).toEqual([200, { user: 'Ben' }]);
    expect(headers['set-cookie']).toMatch(/^demo-world=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test.each([
    ['another user’s password', 401, 'Ben', 'bells', {}],
    ['no password', 401, 'Ben', '', {}],
    ['a user who has none', 401, 'Cleo', '', {}],
    ['a name that every object has', 401, 'toString', '', {}],
    ['no name', 400, 5, 'ring', {}],
    ['more than a log-in', 400, 'Ben', 'ring', { role: 4 }],
    ['a long name', 400, 'B'.repeat(101), 'ring', {}],
    ['a long password', 400, 'Ben', 'r'.repeat(201), {}],
  ])('lets nobody in with %s', async (_what, status, user, password, more) => {
    const answer = await logIn(user, password, more);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.json()).toEqual({ message: expect.stringMatching(/log-in|password/) as string });
  });

  test('is not there in a world without passwords, which has its other pages', async () => {
    const open = await createServer();
    const get = (url: string) => open.inject({ url, headers: { host: 'localhost' } });
    for (const url of ['/login', '/play', '/users', '/play/world'])
      expect((await get(url)).statusCode).toBe(404);
    expect((await get('/')).body).toBe(page);
    await open.close();
  });
});

describe('the world in the browser of one who logged in', () => {
  test.each([undefined, 'demo-world=', 'demo-world=none', 'other=1'])(
    'is not there for a stranger, who is led to the log-in page: %j',
    async (cookie) => {
      const more = cookie === undefined ? {} : { cookie };
      const { status, headers } = await ask('GET', '/play', more);
      expect([status, headers.location]).toEqual([303, '/login']);
      expect(await ask('GET', '/play/world', more)).toMatchObject({ status: 401 });
      expect(await ask('PUT', '/play/settings', { payload: {}, ...more })).toMatchObject({ status: 401 });
    },
  );

  test('is the page, and knows who plays and what world it is', async () => {
    const cookie = `other=1; ${await cookieOf('Ben')}; more=2`;
    expect(await ask('GET', '/play', { cookie })).toMatchObject({ status: 200, body: page });
    expect((await ask('GET', '/play/world', { cookie })).json()).toEqual({
      user: { name: 'Ben', isGameMaster: false },
      settings: { clientId: '', pairedRelayUrl: '' },
      world: {
        worldId: 'sunken-chapel',
        worldTitle: 'The Sunken Chapel',
        tabletopVersion: '13.348',
        systemId: 'dnd5e',
        systemTitle: 'Fifth Edition',
        systemVersion: '5.1.0',
      },
    });
  });

  test('has settings that a game master changes for all, and no player', async () => {
    const [ada, ben] = [await cookieOf('Ada'), await cookieOf('Ben')];
    const settings = { clientId: 'chapel', pairedRelayUrl: 'http://localhost:3010' };
    const put = async (cookie: string, payload: object) =>
      (await ask('PUT', '/play/settings', { cookie, payload })).status;
    expect(await put(ben, settings)).toBe(403);
    expect(await put(ada, { clientId: 'chapel' })).toBe(400);
    expect(await put(ada, { ...settings, token: 'trc_a' })).toBe(400);
    expect(await put(ada, { ...settings, clientId: 'c'.repeat(129) })).toBe(400);
    expect(await put(ada, { ...settings, pairedRelayUrl: 'h'.repeat(501) })).toBe(400);
    expect(await put(ada, settings)).toBe(200);
    expect((await ask('GET', '/play/world', { cookie: ben })).json()).toMatchObject({ settings });
    expect((await ask('GET', '/play/world', { cookie: ada })).json()).toMatchObject({
      user: { name: 'Ada', isGameMaster: true },
    });
  });

  test('ends for the first who logged in when a hundred more have', async () => {
    const [first, second] = [await cookieOf('Ben'), await cookieOf('Ben')];
    for (let count = 0; count < 99; count += 1) await logIn('Ada', 'bells');
    expect((await ask('GET', '/play', { cookie: first })).status).toBe(303);
    expect((await ask('GET', '/play', { cookie: second })).status).toBe(200);
  });
});
