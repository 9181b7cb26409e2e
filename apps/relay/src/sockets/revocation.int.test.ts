// oxlint-disable max-lines -- A third of it is the instance that its races need.
import { createMemoryCluster, createMemoryHub } from '@tabletop-relay/cluster';
import type { Cluster } from '@tabletop-relay/cluster';
import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import type { KyselyPlugin } from 'kysely';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createRecords } from '../records/records.ts';
import { createConnectionTokens } from '../worlds/authenticate-token.ts';
import { createCredentialFeed } from '../credentials/changes/credential-feed.ts';
import { createSecret } from '../credentials/secret.ts';
import { createRelayMetrics } from '../metrics.ts';
import { createAdmission } from './admission/admission.ts';
import type { ClientSocket, SocketLink } from './client-socket.ts';
import { createArrivals } from './arrivals.ts';
import { createConnectedClients } from './connected-clients.ts';
import { createConnectionLog } from './admission/connection-log.ts';
import { createOutbox } from './outbox.ts';
import { watchRevocations } from './revocation.ts';
import { noSockets } from '../../test/no-sockets.ts';
import { createSocketContext } from '../../test/sockets/socket-context.ts';

const log = pino({ level: 'silent' });
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 6, log });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Postgres answers at once; the answers to reads come when they are let through. */
function createSlowAnswers() {
  const held: (() => void)[] = [];
  const state = { isHeld: false };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (state.isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return result;
    },
  };
  const letGo = () => {
    state.isHeld = false;
    for (const open of held.splice(0)) open();
  };
  return { plugin, held, hold: () => void (state.isHeld = true), letGo };
}

/** The part of an instance that lets sockets in and closes them, around one account with a world. */
async function createInstance(changeCluster: (cluster: Cluster) => Cluster = (cluster) => cluster) {
  const slow = createSlowAnswers();
  const cluster = changeCluster(createMemoryCluster({ instanceId: 'test', hub: createMemoryHub() }));
  await cluster.start(noSockets);
  const feed = createCredentialFeed({
    db,
    broadcast: cluster.broadcast,
    log,
    pollMs: 20,
    settings: { credentialTrustMs: 600_000 },
  });
  await feed.start();
  const unknownSecrets = { max: 30, waitS: () => 0, count: () => Promise.resolve() };
  const tokens = createConnectionTokens({ db: db.withPlugin(slow.plugin), feed, unknownSecrets });
  const clients = createConnectedClients();
  const stopWatching = watchRevocations({ feed, tokens, clients, log });
  const records = createRecords({ db, instanceId: 'test', log });
  const admission = createAdmission({
    cluster, tokens,
    arrivals: createArrivals(1),
    connectionLog: createConnectionLog({
      boot: 'test',
      records, log,
      limits: { connectRecords: { max: 60, windowMs: 60_000 } },
      maxCountedPairs: 100,
      metrics: createRelayMetrics(new Registry()),
    }),
    gate: { width: 1, mostWaiting: 1, patienceMs: 1000 },
    retries: { waitMs: 0, most: 1 },
    log,
    draining: new AbortController().signal,
    sockets: createSocketContext({ outbox: createOutbox() }),
  }); // prettier-ignore
  onTestFinished(async () => {
    stopWatching();
    await feed.stop();
    await records.stop();
    await cluster.stop();
  });
  return { slow, feed, clients, admission };
}

let accountId = '';
let clientId = '';
beforeEach(async () => {
  accountId = newId();
  clientId = newId();
  const { hash, hint } = createSecret('masterKey');
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      email: `${accountId.toLowerCase()}@example.org`,
      passwordHash: '',
      masterKeyHash: hash,
      masterKeyHint: hint,
    })
    .execute();
  await db
    .insertInto('knownClients')
    .values({ clientId, accountId, pairedWorldId: 'w', worldId: 'w' })
    .execute();
});

async function createToken(): Promise<{ id: string; value: string }> {
  const { value, hash, hint } = createSecret('connectionToken');
  const id = newId();
  await db
    .insertInto('connectionTokens')
    .values({ id, accountId, clientId, hash, hint, name: 'first', worldId: 'w' })
    .execute();
  return { id, value };
}

/** Both ends of a WebSocket. */
async function connect(): Promise<{ link: SocketLink; closed: Promise<number> }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [ws, request] = (await once(server, 'connection')) as [WebSocket, { socket: Socket }];
  onTestFinished(() => {
    browser.terminate();
    server.close();
  });
  const closed = once(browser, 'close').then(([code]) => code as number);
  return { link: { ws, transport: request.socket }, closed };
}

const visitor = () => ({
  clientId,
  world: {
    worldId: 'w',
    worldTitle: '',
    tabletopVersion: '',
    systemId: '',
    systemTitle: '',
    systemVersion: '',
    customName: '',
  },
  address: '127.0.0.1',
  ipAddress: '127.0.0.1:1',
  userAgent: '',
  origin: '',
});

type Instance = Awaited<ReturnType<typeof createInstance>>;

const revoke = ({ feed }: Instance, tokenId: string) =>
  feed.change(async (trx, announce) => {
    await trx.deleteFrom('connectionTokens').where('id', '=', tokenId).execute();
    announce({ accountId, subject: 'token', subjectId: tokenId, change: 'revoked' });
  });

const tell = ({ feed }: Instance, subject: 'client' | 'key' | 'token', subjectId: string) =>
  feed.change((_trx, announce) =>
    Promise.resolve(announce({ accountId, subject, subjectId, change: 'changed' })),
  );

async function admit({ admission, clients }: Instance, token: string) {
  const { link, closed } = await connect();
  const socket = await admission.admit(link, visitor(), { token, declared: {} });
  if (socket) clients.add(socket);
  return { socket, closed };
}

describe('a revoked token', () => {
  it('closes its socket, though the news of another change started a read of it that is still on its way', async () => {
    const instance = await createInstance();
    const token = await createToken();
    const { closed } = await admit(instance, token.value);
    instance.slow.hold();
    await tell(instance, 'client', 'another world');
    await expect.poll(() => instance.slow.held.length).toBe(1);
    await revoke(instance, token.id);
    instance.slow.letGo();
    expect(await closed).toBe(4002);
  });

  it('closes its socket while the read that other news started never comes back', async () => {
    const instance = await createInstance();
    const token = await createToken();
    const { closed } = await admit(instance, token.value);
    instance.slow.hold();
    await tell(instance, 'client', 'another world');
    await expect.poll(() => instance.slow.held.length).toBe(1);
    const [hanging] = instance.slow.held.splice(0);
    onTestFinished(() => hanging?.());
    await revoke(instance, token.id);
    await expect.poll(() => instance.slow.held.length).toBeGreaterThan(0);
    instance.slow.letGo();
    expect(await closed).toBe(4002);
  });

  it('is let in by nobody who claims its client while it is revoked', async () => {
    const token = await createToken();
    const instance: Instance = await createInstance((cluster) => ({
      ...cluster,
      directory: {
        ...cluster.directory,
        async claim(claim) {
          await revoke(instance, token.id);
          return await cluster.directory.claim(claim);
        },
      },
    }));
    const { socket, closed } = await admit(instance, token.value);
    expect(socket).toBeUndefined();
    expect(await closed).toBe(4002);
  });
});

it('a token that is narrowed while its client is claimed serves with what it may still do', async () => {
  const token = await createToken();
  const instance: Instance = await createInstance((cluster) => ({
    ...cluster,
    directory: {
      ...cluster.directory,
      async claim(claim) {
        await db
          .updateTable('connectionTokens')
          .set({ name: 'narrowed' })
          .where('id', '=', token.id)
          .execute();
        await tell(instance, 'token', token.id);
        return await cluster.directory.claim(claim);
      },
    },
  }));
  const { socket } = await admit(instance, token.value);
  expect((socket as ClientSocket).identity.principal.name).toBe('narrowed');
});

it('news of keys and of other tokens ask nothing of a socket', async () => {
  const instance = await createInstance();
  const token = await createToken();
  const { socket } = await admit(instance, token.value);
  instance.slow.hold();
  await tell(instance, 'key', 'k');
  await tell(instance, 'token', 'another token');
  expect(instance.slow.held).toHaveLength(0);
  // News that concern it do, so the two before were looked at by now.
  await tell(instance, 'token', token.id);
  await expect.poll(() => instance.slow.held.length).toBe(1);
  instance.slow.letGo();
  await expect.poll(() => (socket as ClientSocket).isServing).toBe(true);
});

it('an event looks at its account’s sockets alone', () => {
  const clients = createConnectedClients();
  let looks = 0;
  const socketOf = (account: string, index: number) =>
    ({
      conn: `${account} ${index}`,
      identity: {
        clientId: `${account} ${index}`,
        get accountId() {
          looks++;
          return account;
        },
      },
    }) as unknown as ClientSocket;
  const own = socketOf('a', 0);
  for (let i = 0; i < 1000; i++) clients.add(socketOf('b', i));
  clients.add(own);
  looks = 0;
  expect([...clients.byAccount('a')]).toEqual([own]);
  expect(looks).toBe(0);
  clients.remove(own);
  expect([...clients.byAccount('a')]).toEqual([]);
});
