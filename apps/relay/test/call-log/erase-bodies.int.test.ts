import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
/** May hold a lock for longer than a statement of the relay may take. */
let holder: Database;
let account: TestAccount;
beforeAll(async () => {
  cluster = await startInstances();
  const { databaseUrl: url } = cluster;
  holder = connectDatabase({ url, poolSize: 1, log: { warn: () => {} }, statementTimeoutMs: 0 });
  account = await createAccount(cluster.instances[0].url);
});
afterAll(async () => {
  await holder.destroy();
  await cluster.stop();
});

/** More than one statement erases, in several partitions. */
const many = 12_000;
const lastOf = (accountId: string) => `${accountId}-${many}`;

async function addCalls(accountId: string): Promise<void> {
  await sql`insert into call_bodies
    select ${accountId} || '-' || n, date_trunc('second', now()) + (n - 1800) * interval '1 s', ${accountId}, '{}', '{}', '', ''
    from generate_series(1, ${many}) n`.execute(cluster.db);
  await sql`insert into call_log (id, at, account_id, key_id, key_name, operation, outcome, status, relay_ms, request_id,
      stands_for, instance_id)
    select id, at, account_id, 'key', '', '', 'ok', 200, 1, '', 1, '' from call_bodies
    where id = ${lastOf(accountId)}`.execute(cluster.db);
}

async function countBodies(accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from call_bodies where account_id = ${accountId}`.execute(cluster.db);
  return rows[0]?.count ?? 0;
}

const keepBodies = async (keepsBodies: boolean) =>
  (await account.as('PUT', '/auth/call-log-settings', { keepsBodies })).status;
const readLast = async () => (await account.as('GET', `/auth/calls/${lastOf(account.accountId)}`)).body;

it('an account with more bodies than a statement erases can switch them off, and what is left is shown no more', async () => {
  expect(await keepBodies(true)).toBe(200);
  const { accountId } = account;
  await addCalls(accountId);
  expect(await readLast()).toMatchObject({ request: { text: '{}' } });
  await holder.transaction().execute(async (trx) => {
    // Stands for the time that all of them would take: a statement that erases them waits for this row.
    await sql`select id from call_bodies where id = ${lastOf(accountId)} for update`.execute(trx);
    expect(await keepBodies(false)).toBe(200);
    expect(await countBodies(accountId)).toBe(1);
    expect((await account.as('GET', '/auth/call-log-settings')).body).toEqual({ keepsBodies: false });
    expect(await readLast()).toMatchObject({ request: null, answer: null });
  });
  expect(await keepBodies(true)).toBe(200);
  expect(await countBodies(accountId)).toBe(0);
  expect(await readLast()).toMatchObject({ request: null, answer: null });
});

it('to keep them once more, or to switch them off elsewhere, erases none', async () => {
  const other = await createAccount(cluster.instances[0].url);
  await other.as('PUT', '/auth/call-log-settings', { keepsBodies: true });
  await addCalls(other.accountId);
  expect(await keepBodies(false)).toBe(200);
  await other.as('PUT', '/auth/call-log-settings', { keepsBodies: true });
  expect(await countBodies(other.accountId)).toBe(many);
});
