import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { checkVersion, migrateToLatest, readVersion } from './migrate.ts';

const log = { warn: () => {} };
const home = mkdtempSync(path.join(os.tmpdir(), 'relay-migrate-'));
let server: EmbeddedPostgres;
let db: Database;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: path.join(home, 'postgres') });
  db = connectDatabase({ url: server.url, poolSize: 2, log });
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
  rmSync(home, { recursive: true });
});

test('an empty database is behind; processes that migrate it at once take turns', async () => {
  await expect(checkVersion(db)).rejects.toThrow(/^the database lacks 0001-\S+, .*: run `pnpm migrate`$/);
  const { migrations } = await readVersion(db);
  const applied = await Promise.all([1, 2, 3].map(() => migrateToLatest({ url: server.url, log })));
  expect(applied.flat()).toEqual(migrations);
  await expect(checkVersion(db)).resolves.toBeUndefined();
});

test('a database of a newer release is run on, and not touched, until a migration took something away', async () => {
  await sql`insert into applied_migrations (name, timestamp) values ('9998-later', '')`.execute(db);
  expect(await readVersion(db)).toEqual({ state: 'newer', migrations: ['9998-later'] });
  await expect(checkVersion(db)).resolves.toBeUndefined();
  expect(await migrateToLatest({ url: server.url, log })).toEqual([]);
  const [known] = await namesIn(db, 'applied_migrations');
  await sql`insert into needed_migrations values (${known})`.execute(db);
  await expect(checkVersion(db)).resolves.toBeUndefined();
  await sql`insert into needed_migrations values ('9998-later')`.execute(db);
  await expect(checkVersion(db)).rejects.toThrow('the database has 9998-later, written by a newer release');
  await expect(migrateToLatest({ url: server.url, log })).rejects.toThrow('9998-later');
});

test('a database that was migrated in part by a newer release is refused', async () => {
  await sql`delete from needed_migrations`.execute(db);
  const [first] = await namesIn(db, 'applied_migrations');
  await sql`delete from applied_migrations where name = ${first}`.execute(db);
  await expect(checkVersion(db)).rejects.toThrow('9998-later');
  await sql`delete from applied_migrations where name = '9998-later'`.execute(db);
  await sql`insert into applied_migrations (name, timestamp) values (${first}, ${new Date().toISOString()})`.execute(
    db,
  );
  await expect(checkVersion(db)).resolves.toBeUndefined();
});

test('releases that end at 0017 find the names that they know, whoever made the database', async () => {
  const old = (await namesIn(db, 'applied_migrations')).filter((name) => name < '0018');
  expect(await namesIn(db, 'migrations')).toEqual(old);
  await sql`create database made_before`.execute(db);
  const url = server.url.replace('@/postgres?', '@/made_before?');
  const made = connectDatabase({ url, poolSize: 1, log });
  await sql`create table migrations (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    made,
  );
  for (const name of old) {
    const text = readFileSync(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8');
    await sql.raw(text).execute(made);
    await sql`insert into migrations values (${name}, ${new Date().toISOString()})`.execute(made);
  }
  expect(await readVersion(made)).toMatchObject({ state: 'behind' });
  const applied = await Promise.all([1, 2].map(() => migrateToLatest({ url, log })));
  expect(applied.flat()[0]).toBe('0018-instance-reports');
  expect(await namesIn(made, 'migrations')).toEqual(old);
  await expect(checkVersion(made)).resolves.toBeUndefined();
  await made.destroy();
});

test('a database whose encoding is not UTF-8 is refused before anything is made in it', async () => {
  await sql`create database of_bytes encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`.execute(
    db,
  );
  const url = server.url.replace('@/postgres?', '@/of_bytes?');
  await expect(migrateToLatest({ url, log })).rejects.toThrow(
    /^the database of_bytes has the encoding SQL_ASCII, .*create database .* encoding 'UTF8' template template0/,
  );
  const made = connectDatabase({ url, poolSize: 1, log });
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(made);
  expect(rows).toHaveLength(0);
  await made.destroy();
});

async function namesIn(database: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}
