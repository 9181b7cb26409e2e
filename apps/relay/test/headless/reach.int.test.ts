import { readRole } from '@tabletop-relay/database';
import { migrateJobs } from '@tabletop-relay/jobs';
import { asOwner } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, createAccount } from '../account.ts';
import type { Answer, TestAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { encrypt, sessionCaller } from './sessions.ts';
import type { Handshake } from './sessions.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
beforeAll(async () => {
  cluster = await startInstances({ config: { outboundAllow: ['127.0.0.0/8'], browserHostWaitMs: 20_000 } });
  [{ url }] = cluster.instances;
  await migrateJobs({ url: asOwner(cluster.databaseUrl), grantTo: await readRole(cluster.db) });
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

let ports = 1;
/** The address of a tabletop that nobody else uses. */
const newAddress = () => `http://127.0.0.1:${++ports}`;

interface PairedWorld {
  clientId: string;
  worldId: string;
}

async function pairAt(pairedOrigin: string): Promise<PairedWorld> {
  const worldId = `world-${++ports}`;
  const pairing = await account.pair({ worldId });
  await cluster.db
    .updateTable('knownClients')
    .set({ pairedOrigin })
    .where('clientId', '=', pairing.clientId)
    .execute();
  return { ...pairing, worldId };
}

/** What the page at a tabletop's address says, in the place of a browser host that is in its world. */
async function sayWorld(tabletopUrl: string, world: object): Promise<void> {
  const said = cluster.db
    .updateTable('headlessSessions')
    .set({ stage: 'module', world: JSON.stringify(world) })
    .where('tabletopUrl', '=', tabletopUrl)
    .where('state', '=', 'starting');
  await expect.poll(async () => (await said.executeTakeFirst()).numUpdatedRows).toBe(1n);
}

async function sessionAt(tabletopUrl: string) {
  return await cluster.db
    .selectFrom('headlessSessions')
    .select(['id', 'state', 'clientId', 'tokenId', 'detail'])
    .where('tabletopUrl', '=', tabletopUrl)
    .executeTakeFirstOrThrow();
}

const logIn = (key: string, tabletopUrl: string) =>
  sessionCaller(url, key).logIn({ tabletopUrl, username: 'Ada', password: 'p' });

/** The answer to a start at an address where a page says this. */
async function startAt(key: string, tabletopUrl: string, world: object): Promise<Answer> {
  const answered = logIn(key, tabletopUrl);
  await sayWorld(tabletopUrl, world);
  return await answered;
}

/** The client whose token the session at the address has; it is ended then. */
async function clientGivenAt(tabletopUrl: string, answered: Promise<unknown>): Promise<string | null> {
  const given = async () => (await sessionAt(tabletopUrl)).tokenId;
  await expect.poll(given).not.toBeNull();
  const { id, clientId } = await sessionAt(tabletopUrl);
  await sessionCaller(url, account.masterKey).end(id);
  await answered;
  return clientId;
}

const naming = ({ clientId, worldId }: PairedWorld) => ({ clientId, worldId });

async function expectForbidden(answer: Answer, tabletopUrl: string, detail: RegExp): Promise<void> {
  const session = await sessionAt(tabletopUrl);
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'forbidden', sessionId: session.id, detail: expect.stringMatching(detail) },
  });
  expect(session).toMatchObject({ state: 'failed', clientId: null, tokenId: null });
  expect(session.detail).toBe(answer.body['detail']);
}

describe('a scoped key gets no token', () => {
  it('for a world that it may not reach, though its own tabletop names it', async () => {
    const [own, foreign] = [await pairAt(newAddress()), await pairAt(newAddress())];
    const key = await account.createKey({ clientIds: [own.clientId] });
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, naming(foreign));
    await expectForbidden(answer, tabletopUrl, /may not reach the world.*dashboard or with the master key/);
    expect(JSON.stringify(answer.body)).not.toContain(foreign.clientId);
  });

  it('for a world that it may not reach at the address of that world', async () => {
    const tabletopUrl = newAddress();
    const [own, foreign] = [await pairAt(tabletopUrl), await pairAt(tabletopUrl)];
    const key = await account.createKey({ clientIds: [own.clientId] });
    const answer = await startAt(key, tabletopUrl, naming(foreign));
    await expectForbidden(answer, tabletopUrl, /may not reach/);
  });

  it.each([
    ['limited to it', true],
    ['that reaches all', false],
  ])('for a world at another address than its own, with a key %s', async (_which, isLimited) => {
    const world = await pairAt(newAddress());
    const key = await account.createKey(isLimited ? { clientIds: [world.clientId] } : {});
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, naming(world));
    await expectForbidden(
      answer,
      tabletopUrl,
      /paired at another address than.*Add browser.*not your tabletop/,
    );
  });

  it('for a new world, where it is limited to others', async () => {
    const own = await pairAt(newAddress());
    const key = await account.createKey({ clientIds: [own.clientId] });
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, { worldId: own.worldId, clientId: '' });
    await expectForbidden(answer, tabletopUrl, /none of them was paired at.*let the key reach it/);
    const made = cluster.db.selectFrom('knownClients').where('pairedOrigin', '=', tabletopUrl);
    expect(await made.select('clientId').execute()).toEqual([]);
  });

  it('for a world of the address that is not among its own, where the tabletop names none', async () => {
    const tabletopUrl = newAddress();
    const { worldId } = await pairAt(tabletopUrl);
    const key = await account.createKey({ clientIds: [(await pairAt(newAddress())).clientId] });
    const answer = await startAt(key, tabletopUrl, { worldId, clientId: '' });
    await expectForbidden(answer, tabletopUrl, /none of them was paired at/);
  });
});

describe('while a session starts, its key', () => {
  /** Starts at the world's own address, and changes the key before the page is there. */
  async function startChanged(change: (path: string) => Promise<unknown>): Promise<[Answer, string]> {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    const { body } = await account.as('POST', '/auth/api-keys', {
      name: 'short',
      scopes: ['session:manage'],
    });
    const answered = logIn(String(body['apiKey']), tabletopUrl);
    await expect.poll(() => sessionAt(tabletopUrl).catch(() => undefined)).toBeDefined();
    await change(`/auth/api-keys/${String(body['id'])}`);
    await sayWorld(tabletopUrl, naming(world));
    return [await answered, tabletopUrl];
  }
  const gone = /was revoked, has expired or may not start sessions/;

  it('may be revoked', async () => {
    const [answer, tabletopUrl] = await startChanged((path) => account.as('DELETE', path));
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may expire', async () => {
    const [answer, tabletopUrl] = await startChanged((path) =>
      cluster.db
        .updateTable('apiKeys')
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where('id', '=', path.split('/').at(-1) ?? '')
        .execute(),
    );
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may lose its scope', async () => {
    const [answer, tabletopUrl] = await startChanged((path) =>
      account.as('PATCH', path, { scopes: ['session:read'] }),
    );
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may be limited to another world', async () => {
    const { clientId } = await pairAt(newAddress());
    const [answer, tabletopUrl] = await startChanged((path) =>
      account.as('PATCH', path, { clientIds: [clientId] }),
    );
    await expectForbidden(answer, tabletopUrl, /may not reach/);
  });
});

describe('a token is given', () => {
  it.each([
    ['names its world', true],
    ['names none', false],
  ])('to a key at the address of its world, where the tabletop %s', async (_what, isNamed) => {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    // Of two clients of the same world and address, it is the one that the key may reach.
    const other = await account.pair({ worldId: world.worldId });
    await cluster.db
      .updateTable('knownClients')
      .set({ pairedOrigin: tabletopUrl, lastSeenAt: new Date() })
      .where('clientId', '=', other.clientId)
      .execute();
    const key = await account.createKey({ clientIds: [world.clientId] });
    const answered = logIn(key, tabletopUrl);
    await sayWorld(tabletopUrl, isNamed ? naming(world) : { worldId: world.worldId, clientId: '' });
    expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
  });

  it('for a new world, to a key that reaches all', async () => {
    const tabletopUrl = newAddress();
    const answered = logIn(await account.createKey(), tabletopUrl);
    await sayWorld(tabletopUrl, { worldId: 'new', clientId: '' });
    expect(await clientGivenAt(tabletopUrl, answered)).toEqual(expect.any(String));
  });
});

describe('whoever starts it, a session', () => {
  const byMasterKey = async (tabletopUrl: string) => (await logIn(account.masterKey, tabletopUrl)).status;
  async function inDashboard(tabletopUrl: string): Promise<number> {
    const login = { tabletopUrl, username: 'Ada' };
    const { body } = await account.as('POST', '/auth/headless-sessions/handshake', login);
    const shaken = body as unknown as Handshake;
    const started = await account.as('POST', '/auth/headless-sessions', {
      handshakeToken: shaken.token,
      encryptedPassword: encrypt(shaken, 'p'),
    });
    return started.status;
  }

  const addressOf = ({ clientId }: PairedWorld) =>
    cluster.db
      .selectFrom('knownClients')
      .select('pairedOrigin')
      .where('clientId', '=', clientId)
      .executeTakeFirstOrThrow();

  it.each([
    ['the master key', byMasterKey, 403],
    ['the dashboard', inDashboard, 200],
  ])('by %s becomes no world of another address, and moves none', async (_who, start, status) => {
    const world = await pairAt(newAddress());
    const before = await addressOf(world);
    const tabletopUrl = newAddress();
    const answered = start(tabletopUrl);
    await sayWorld(tabletopUrl, naming(world));
    await expect.poll(async () => (await sessionAt(tabletopUrl)).state).toBe('failed');
    expect(await answered).toBe(status);
    expect(await sessionAt(tabletopUrl)).toMatchObject({
      tokenId: null,
      detail: expect.stringMatching(/paired at another address than.*Add browser.*not your tabletop/),
    });
    expect(await addressOf(world)).toEqual(before);
  });

  it.each([
    ['the master key', byMasterKey],
    ['the dashboard', inDashboard],
  ])(
    'by %s becomes it where a person paired a browser of it there, and moves nothing',
    async (_who, start) => {
      const world = await pairAt(newAddress());
      const before = await addressOf(world);
      const tabletopUrl = newAddress();
      const { body } = await account.as('POST', '/auth/pairing-codes', { clientId: world.clientId });
      await call(url, 'POST', '/auth/pair', {
        body: { code: body['code'], worldId: world.worldId },
        headers: { origin: tabletopUrl },
      });
      const answered = start(tabletopUrl);
      await sayWorld(tabletopUrl, naming(world));
      expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
      expect(await addressOf(world)).toEqual(before);
    },
  );
});

describe('a page that is not where the session was started for', () => {
  it.each([
    ['the master key', () => account.masterKey],
    ['a scoped key', () => account.createKey()],
  ])('gets no token by %s, though it names a world of the account', async (_which, keyOf) => {
    const [tabletopUrl, elsewhere] = [newAddress(), newAddress()];
    const world = await pairAt(tabletopUrl);
    const answer = await startAt(await keyOf(), tabletopUrl, { ...naming(world), origin: elsewhere });
    const detail = expect.stringContaining(`${tabletopUrl} leads to ${elsewhere}`) as string;
    expect(answer).toMatchObject({ status: 502, body: { code: 'session_failed', detail } });
    expect(await sessionAt(tabletopUrl)).toMatchObject({
      state: 'failed',
      clientId: null,
      tokenId: null,
      detail,
    });
  });

  it('gets one where it is', async () => {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    const answered = logIn(await account.createKey(), tabletopUrl);
    await sayWorld(tabletopUrl, { ...naming(world), origin: tabletopUrl });
    expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
  });
});
