import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase, execute } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdSingleInstance } from '../../src/single-instance.ts';

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

const url = () => database.url;

const setLockable = (isLockable: boolean) =>
  execute(
    database.ownerUrl,
    `${isLockable ? 'grant' : 'revoke'} execute on function pg_try_advisory_lock(bigint) ${isLockable ? 'to' : 'from'} public`,
  );

it('a lock that cannot be asked for leaves no connection open, at the start or when it is taken again', async () => {
  await setLockable(false);
  await expect(holdSingleInstance(url, log, neverLost)).rejects.toThrow('permission denied');
  await expect.poll(openConnections).toBe(0);

  await setLockable(true);
  const held = await holdSingleInstance(url, log, neverLost);
  await setLockable(false);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(owner);
  const failures = () => warnings.filter((line) => line.includes('could not be taken again yet')).length;
  await expect.poll(failures, { timeout: 15_000 }).toBeGreaterThan(2);
  expect(await openConnections()).toBeLessThanOrEqual(1);
  await setLockable(true);
  await held.release();
});

it('a second instance is refused, and leaves no connection open', async () => {
  const first = await holdSingleInstance(url, log, neverLost);
  await expect(holdSingleInstance(url, log, neverLost)).rejects.toThrow('set REDIS_URL on both');
  await expect.poll(openConnections).toBe(1);
  await first.release();
  await expect.poll(openConnections).toBe(0);
});
