import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let owner: Database;
let cluster: TestInstances;
beforeAll(async () => {
  cluster = await startInstances();
  owner = connectDatabase({ url: cluster.ownerUrl, poolSize: 2, log: { warn: () => {} } });
});
afterAll(async () => {
  await owner.destroy();
  await cluster.stop();
});

const newAccount = () => createAccount(cluster.instances[0].url);
const deleteAccount = (account: TestAccount): Promise<Answer> =>
  account.as('DELETE', '/auth/account', { password: account.password });

/** More than one statement erases. */
const many = 12_000;
const idOf = (prefix: string, n: number) => `${prefix}${String(n).padStart(25, '0')}`;

async function addRecords(accountId: string, prefix: string): Promise<void> {
  await sql`insert into audit_log
    (id, at, account_id, event, outcome, actor, ip_address, user_agent, detail, instance_id)
    select ${prefix} || lpad(n::text, 25, '0'), now(), ${accountId}, 'test.happened', '', '', '', '', '{}', ''
    from generate_series(1, ${many}) as n`.execute(cluster.db);
}

async function countRecords(accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_log where account_id = ${accountId}`.execute(owner);
  return rows[0]?.count ?? 0;
}

async function countErasures(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from erasures`.execute(owner);
  return rows[0]?.count ?? 0;
}

it('an account with more records than a statement erases is gone at once, and its records soon', async () => {
  const account = await newAccount();
  await addRecords(account.accountId, 'a');
  await owner.transaction().execute(async (trx) => {
    // Stands for the time that the rest would take: a statement that erases all waits for this row.
    await sql`select id from audit_log where id = ${idOf('a', many)} for update`.execute(trx);
    expect((await deleteAccount(account)).status).toBe(200);
    expect((await account.as('GET', '/auth/account')).status).toBe(401);
    expect(await countRecords(account.accountId)).toBeGreaterThan(0);
  });
  await expect.poll(() => countRecords(account.accountId)).toBe(0);
  await expect.poll(countErasures).toBe(0);
});

it('what an instance that crashed left is erased after the next deletion', async () => {
  await addRecords('gone-before', 'b');
  await sql`insert into erasures (id) values ('gone-before')`.execute(owner);
  expect((await deleteAccount(await newAccount())).status).toBe(200);
  await expect.poll(() => countRecords('gone-before')).toBe(0);
});

it('what an instance that crashed left is erased at the next start', async () => {
  await addRecords('gone-then', 'c');
  await sql`insert into erasures (id) values ('gone-then')`.execute(owner);
  const another = await startInstances({ databaseUrl: cluster.databaseUrl });
  try {
    await expect.poll(() => countRecords('gone-then')).toBe(0);
  } finally {
    await another.stop();
  }
});

it('nothing of an account that exists is erased, whoever asks for it', async () => {
  const account = await newAccount();
  await addRecords(account.accountId, 'd');
  const before = await countRecords(account.accountId);
  await sql`insert into erasures (id) values (${account.accountId})`.execute(cluster.db);
  await sql`select erase_slice_of_deleted()`.execute(cluster.db);
  await expect(sql`select erase_some(${account.accountId}, 1)`.execute(cluster.db)).rejects.toThrow(
    'permission denied',
  );
  expect(await countErasures()).toBe(0);
  expect(await countRecords(account.accountId)).toBe(before);
});
