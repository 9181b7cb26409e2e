import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { mkdtempSync, rmSync } from 'node:fs';
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

test('a database of a newer release is refused, by the check and by the migration', async () => {
  await sql`insert into migrations (name, timestamp) values ('9999-later', '')`.execute(db);
  await expect(checkVersion(db)).rejects.toThrow('the database has 9999-later, written by a newer release');
  await expect(migrateToLatest({ url: server.url, log })).rejects.toThrow('9999-later');
});
