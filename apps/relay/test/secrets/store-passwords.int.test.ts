import { appRole } from '@tabletop-relay/database';
import { findFreePort, startPostgres, startRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startRelayProcess } from '../process.ts';
import { callWorld, pairAcross, startLoad, unless } from './load.ts';
import type { Served } from './load.ts';

/** Those of two instances for what must not wait, and for the lock of each. */
const vitalConnections = 6;

it('the passwords of Postgres and Redis are changed under calls on two instances, and none fails', async () => {
  const [postgres, redis] = await Promise.all([startPasswordPostgres(), startUserRedis()]);
  const files = createFiles({ DATABASE_URL: postgres.url('one'), REDIS_URL: redis.url('one') });
  await postgres.setPassword('one');
  await redis.setUser('>one');
  const start = async (instanceId: string) =>
    startRelayProcess({
      port: await findFreePort(),
      instanceId,
      env: { ...files.settings, DATABASE_POOL: '20' },
    });
  const relays = await Promise.all([start('one'), start('two')]);
  onTestFinished(async () => void (await Promise.all(relays.map((relay) => relay.end('SIGKILL')))));
  const account = await createAccount(relays[0].url);
  const key = await account.createKey();
  const pairing = await account.pair();
  const module = await connectModule(relays[0].url, pairing, () => ({ users: [] }));
  onTestFinished(() => module.cut());
  const load = startLoad(relays, [
    (at, other) => callWorld([at, other], key, pairing),
    (at, other) => pairAcross(at, other, account),
  ]);
  await load.turnOver();

  // As docs/operations/secrets.md has it.
  await redis.setUser('>two');
  files.write('REDIS_URL', redis.url('two'));
  await load.turnOver();
  await redis.setUser('<one');
  await load.turnOver();

  await postgres.setPassword('two');
  // More connections are needed than there are, and the file has the old password.
  const before = await postgres.connections();
  const release = await postgres.holdReads();
  const reads = relays.map((relay) => readAtOnce(relay, account));
  await expect.poll(postgres.waiting).toBeGreaterThanOrEqual(before - vitalConnections);
  files.write('DATABASE_URL', postgres.url('two'));
  await expect.poll(postgres.connections).toBeGreaterThan(before);
  await release();
  expect(await Promise.all(reads)).toEqual([[], []]);
  await load.turnOver();
  expect(await load.stop()).toEqual([]);

  // Every connection is made anew, with no password but the new ones.
  await Promise.all([redis.endConnections(), postgres.endConnections()]);
  await expect.poll(() => callWorld(relays, key, pairing), { timeout: 20_000 }).toBeUndefined();
  expect(await pairAcross(relays[0], relays[1], account)).toBeUndefined();
}, 60_000);

/** Reads what only Postgres knows, more often at once than there are free connections. */
async function readAtOnce({ url }: Served, { sessionToken }: TestAccount): Promise<(string | undefined)[]> {
  const headers = { authorization: `Bearer ${sessionToken}` };
  const reads = Array.from({ length: 15 }, async () =>
    unless(200, await call(url, 'GET', '/auth/known-clients?limit=100', { headers }), 'read'),
  );
  return (await Promise.all(reads)).filter((failure) => failure !== undefined);
}

/** Settings that are read from files: `<NAME>_FILE`. */
function createFiles(values: Record<string, string>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, value: string) => writeFileSync(path.join(folder, name), value);
  for (const [name, value] of Object.entries(values)) write(name, value);
  const settings = Object.fromEntries(
    Object.keys(values).map((name) => [`${name}_FILE`, path.join(folder, name)]),
  );
  return { settings, write };
}

/** A Redis whose user `relay` may do what docs/operations/stores.md gives it, and who alone has a password. */
async function startUserRedis() {
  const redis = await startRedis();
  const admin = new Redis(redis.url);
  onTestFinished(async () => {
    admin.disconnect();
    await redis.stop();
  });
  const setUser = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'relay', ...rules);
  await setUser(
    'on',
    'resetkeys',
    'resetchannels',
    '~r:*',
    '&r:*',
    '+@all',
    '-@admin',
    '-@dangerous',
    '+info',
  );
  return {
    url: (password: string) => redis.url.replace('//', `//relay:${password}@`),
    setUser,
    endConnections: () => admin.call('CLIENT', 'KILL', 'USER', 'relay'),
  };
}

/** A Postgres that asks the role of the running processes for its password. */
async function startPasswordPostgres() {
  const postgres = await startPostgres({ asksPasswords: true });
  const admin = new Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  onTestFinished(async () => {
    await admin.end();
    await postgres.stop();
  });
  const count = async (more = '') => {
    const query = `select count(*) from pg_stat_activity where usename = '${appRole}' ${more}`;
    return Number((await admin.query<{ count: string }>(query)).rows[0]?.count);
  };
  return {
    url: (password: string) => postgres.url.replace(`//${appRole}@`, `//${appRole}:${password}@`),
    setPassword: (password: string) => admin.query(`alter role ${appRole} password '${password}'`),
    connections: () => count(),
    waiting: () => count(`and wait_event_type = 'Lock'`),
    /** Until the returned function is called, nobody reads the worlds. */
    async holdReads() {
      const holder = new Client({ connectionString: postgres.ownerUrl });
      await holder.connect();
      await holder.query('begin; lock table known_clients');
      return () => holder.end();
    },
    endConnections: () =>
      admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${appRole}'`),
  };
}
