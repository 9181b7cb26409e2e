import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase, execute } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseBesideRedis } from '../../src/instances/refuse-beside-redis.ts';
import { takeInstanceLock } from '../../src/instance-lock.ts';

const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
const neverLost = () => expect.unreachable('the lock is held');
let database: TestDatabase;
let owner: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, poolSize: 1, log });
});
afterAll(async () => {
  await owner.destroy();
  await database.drop();
});

const openConnections = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    owner,
  );
  return rows.length;
};

const hold = (hasRedis: boolean, onLost: () => void = neverLost) =>
  takeInstanceLock({ hasRedis, currentUrl: () => database.url, log, onLost });

const setLockable = (isLockable: boolean, how: '' | '_shared' = '') =>
  execute(
    database.ownerUrl,
    `${isLockable ? 'grant' : 'revoke'} execute on function pg_try_advisory_lock${how}(bigint) ${isLockable ? 'to' : 'from'} public`,
  );

it('a lock that cannot be asked for leaves no connection open, at the start or when it is taken again', async () => {
  await setLockable(false);
  await expect(hold(false)).rejects.toThrow('permission denied');
  await expect.poll(openConnections).toBe(0);

  await setLockable(true);
  const held = await hold(false);
  await setLockable(false);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(owner);
  const dialled = async () => {
    const { rows } = await sql<{ sessions: string }>`
      select sessions from pg_stat_database where datname = current_database()`.execute(owner);
    return Number(rows[0]?.sessions);
  };
  const before = await dialled();
  await expect.poll(dialled, { timeout: 15_000 }).toBeGreaterThan(before + 2);
  expect(warnings.filter((line) => line.includes('could not be taken again yet'))).toHaveLength(1);
  expect(await openConnections()).toBeLessThanOrEqual(1);
  await setLockable(true);
  await held.release();
});

it('a start for which Postgres has no connection left says so, and what to do', async () => {
  const limit = (connections: number) =>
    sql`alter database ${sql.id(database.url.match(/@\/(\w+)\?/)?.[1] ?? '')} connection limit ${sql.lit(connections)}`;
  await limit(0).execute(owner);
  await expect(hold(true)).rejects.toThrow(
    /^Postgres \(DATABASE_URL\) .*too many connections.* raise max_connections/,
  );
  await limit(-1).execute(owner);
});

it('a second instance without Redis is refused, and leaves no connection open', async () => {
  const first = await hold(false);
  await expect(hold(false)).rejects.toThrow('set REDIS_URL on both');
  await expect.poll(openConnections).toBe(1);
  await first.release();
  await expect.poll(openConnections).toBe(0);
});

it('instances with Redis run beside each other, and beside none without', async () => {
  const [first, second] = [await hold(true), await hold(true)];
  await expect(hold(false)).rejects.toThrow('another relay runs on this database');
  await first.release();
  await expect(hold(false)).rejects.toThrow('another relay runs on this database');
  await second.release();
  await expect.poll(openConnections).toBe(0);
  const alone = await hold(false);
  await expect(hold(true)).rejects.toThrow('a relay without REDIS_URL runs on this database');
  await alone.release();
  await expect.poll(openConnections).toBe(0);
});

it('an instance with Redis whose lock was taken meanwhile waits for it', async () => {
  const held = await hold(true);
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await setLockable(false, '_shared');
  await cut.execute(owner);
  const other = await hold(false);
  await setLockable(true, '_shared');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await other.release();
  await expect.poll(openConnections, { timeout: 10_000 }).toBe(1);
  await held.release();
});

it('one without Redis that has the lock, as after an outage of Postgres, is refused when another speaks', async () => {
  await refuseBesideRedis(owner);
  await sql`insert into instances (boot, instance_id, held_until, seen_at, redis) values
    ('alone', 'without', now(), now(), '{}'), ('boot', 'relay-1', now(), now() - interval '1 h', '{"0": {}}')`.execute(
    owner,
  );
  const refused = refuseBesideRedis(owner).then(() => 'starts', String);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await sql`update instances set seen_at = clock_timestamp() where boot = 'boot'`.execute(owner);
  expect(await refused).toContain('relay-1 runs on this database with Redis');
});
