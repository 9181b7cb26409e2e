import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import { migrateToLatest } from './migrate.ts';
import { grantToApp, ownsTables, readRole } from './roles.ts';

const log = { warn: () => {} };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: Database;
let owner: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  app = connectDatabase({ url: database.url, poolSize: 2, log });
  owner = connectDatabase({ url: database.ownerUrl, poolSize: 2, log });
  await addAccount('kept');
});
afterAll(async () => {
  await Promise.all([app.destroy(), owner.destroy()]);
  await database.drop();
});

const run = (db: Database, text: string) => sql.raw(text).execute(db);

async function addAccount(id: string): Promise<void> {
  await run(
    app,
    `insert into accounts (id, email, password_hash, master_key_hash, master_key_hint)
       values ('${id}', '${id}@example.org', '', '${id}', '');
     insert into audit_log values ('${id}', now(), '${id}', 'test.happened', 'ok', 'anyone', null, null, '', '', '{}', '')`,
  );
}

async function partitionOf(table: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by name`.execute(owner);
  return rows[0]?.name ?? '';
}

describe('the role of the running processes', () => {
  it('owns nothing, and says so', async () => {
    expect(await ownsTables(app)).toBe(false);
    expect(await ownsTables(owner)).toBe(true);
  });

  it.each([
    'update audit_log set event = event',
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_log disable trigger append_only',
    'drop trigger append_only on connection_logs',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return old; end $$',
    'drop table remote_request_logs',
    'create table mine (id int)',
    'create schema mine',
    `insert into applied_migrations values ('9999-later', '')`,
    `delete from needed_migrations`,
    `delete from migrations`,
    'set session_replication_role = replica',
    `select drop_old_records('accounts', '1 year')`,
    `select drop_old_records('audit_log', '0 days')`,
    `select drop_old_records('audit_log', null)`,
  ])('may not: %s', async (statement) => {
    await expect(run(app, statement)).rejects.toMatchObject({ code: '42501' });
    expect((await run(owner, 'select from audit_log')).rows.length).toBeGreaterThan(0);
  });

  it.each(['select from', 'update', 'delete from', 'truncate', 'drop table'])(
    'reaches no partition of the records with %s',
    async (verb) => {
      const name = await partitionOf('audit_log');
      const statement = verb === 'update' ? `update ${name} set event = ''` : `${verb} ${name}`;
      await expect(run(app, statement)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('makes and drops the partitions of records through functions, with its own objects before none of ours', async () => {
    const last = await partitionOf('audit_log');
    await run(owner, `drop table ${last}`);
    await run(app, 'set local search_path = pg_temp; select public.ensure_record_partitions()');
    expect(await partitionOf('audit_log')).toBe(last);
    await expect(run(app, `select from ${last}`)).rejects.toMatchObject({ code: '42501' });
    await run(owner, `alter table ${last} rename to audit_log_20010101`);
    const { rows } = await sql<{ dropped: number }>`
      select drop_old_records('audit_log', '1 year') as dropped`.execute(app);
    expect(rows).toEqual([{ dropped: 1 }]);
    await run(app, 'select ensure_record_partitions()');
  });

  it('erases the records of an account by deleting the account, and in no other way', async () => {
    await addAccount('gone');
    const accounts = async () => (await run(owner, 'select distinct account_id from audit_log')).rows;
    await run(app, `select erase_account_records('gone')`);
    expect(await accounts()).toContainEqual({ accountId: 'gone' });
    await run(app, `delete from accounts where id = 'gone'`);
    expect(await accounts()).toEqual([{ accountId: 'kept' }]);
  });

  it('loses at the next migration what it was given beyond its need', async () => {
    const name = await partitionOf('audit_log');
    const { role } = database;
    await run(owner, `grant all on all tables in schema public to ${role}`);
    await run(app, `update ${name} set event = event where false`);
    await Promise.all([1, 2].map(() => migrateToLatest({ url: database.ownerUrl, log, grantTo: role })));
    await expect(run(app, `update ${name} set event = event where false`)).rejects.toThrow(
      'permission denied',
    );
    await expect(run(app, 'delete from audit_log where false')).rejects.toThrow('permission denied');
  });

  it('is told what to do when it meets a database that needs a migration', async () => {
    await run(owner, `delete from applied_migrations where name like '0009%'`);
    await expect(migrateToLatest({ url: database.url, log })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /lacks 0009-roles and the role tabletop_relay_app may not change it: set MIGRATE_DATABASE_URL/,
      ) as string,
    });
    await run(owner, `insert into applied_migrations values ('0009-roles', '')`);
    await expect(migrateToLatest({ url: database.url, log })).resolves.toEqual([]);
  });
});

it('the owner cannot delete records by naming the function that may', async () => {
  const forged = 'do $$ begin delete from audit_log /* function erase_account_records(text) */; end $$';
  await expect(run(owner, forged)).rejects.toThrow('append-only');
  await grantToApp(owner, await readRole(owner));
});

it('a second role that takes turns with the first, where passwords are rotated, may do the same as its member', async () => {
  await run(owner, `create role second_app login in role ${await readRole(app)}`);
  const second = connectDatabase({
    url: database.url.replace(/\/\/[^@]*@/, '//second_app@'),
    poolSize: 1,
    log,
  });
  try {
    await run(second, `update accounts set email = 'by@second.example' where id = 'kept'`);
    await expect(run(second, 'delete from audit_log')).rejects.toThrow('permission denied');
    expect(await ownsTables(second)).toBe(false);
  } finally {
    await second.destroy();
    await run(owner, 'drop role second_app');
  }
});
