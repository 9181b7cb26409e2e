import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration, MigrationProvider, MigrationResultSet } from 'kysely/migration';
import { connectDatabase, isDatabaseAway } from './connect.ts';
import type { ConnectOptions, Database } from './connect.ts';
import { grantToApp, readRole } from './roles.ts';
import { StartError } from './start-error.ts';

const folder = new URL('../../../migrations/', import.meta.url);

export interface SchemaVersion {
  /** `newer`: the database has migrations of a newer release, and lets this one run. `ahead`: it does not. */
  state: 'current' | 'newer' | 'behind' | 'ahead';
  /** Migrations that the database lacks (behind) or that this release does not know (newer, ahead). */
  migrations: string[];
}

/** The database's schema does not match this release. The message names the remedy. */
export class SchemaVersionError extends Error {
  readonly version: SchemaVersion;

  constructor(version: SchemaVersion) {
    const names = version.migrations.join(', ');
    super(
      version.state === 'behind'
        ? `the database lacks ${names}: run \`pnpm migrate\``
        : `the database has ${names}, written by a newer release that this one is too old to run beside: deploy a ` +
            'newer one, or restore the backup taken before it (migrations only go forward)',
    );
    this.name = 'SchemaVersionError';
    this.version = version;
  }
}

export interface MigrateOptions extends Pick<ConnectOptions, 'log'> {
  /** Must connect as the owner of the tables. */
  url: string;
  /** The role of the running processes. It is granted its rights after the migration. */
  grantTo?: string;
}

/**
 * Migrates the schema to this release, all or nothing, and returns the applied migrations. Processes that call it at
 * the same time take turns. Rejects with `SchemaVersionError` on a database of a newer release.
 */
export async function migrateToLatest({ url, log, grantTo }: MigrateOptions): Promise<string[]> {
  // No time-out, because a migration, or waiting for another process that migrates, may take long.
  const db = connectDatabase({ url, log, poolSize: 1, statementTimeoutMs: 0 });
  try {
    const applied = await applyMissing(db);
    if (grantTo !== undefined) await grantToApp(db, grantTo);
    return applied;
  } finally {
    await db.destroy();
  }
}

async function applyMissing(db: Database): Promise<string[]> {
  const version = await readVersion(db);
  // Return before the migrator runs: a role without the right to migrate must start on a current schema.
  if (version.state === 'current' || version.state === 'newer') return [];
  if (version.state === 'ahead') throw new SchemaVersionError(version);
  await requireUtf8(db);
  const { error, results = [] } = await takeOverList(db).then(
    () => migrator(db).migrateToLatest(),
    (cause: unknown): MigrationResultSet => ({ error: cause }),
  );
  if (error === undefined) return results.map((result) => result.migrationName);
  if ((error as { code?: unknown }).code === insufficientPrivilege) {
    throw new StartError(
      `the database lacks ${version.migrations.join(', ')} and the role ${await readRole(db)} may not change it: ` +
        'set MIGRATE_DATABASE_URL to the URL of the role that owns the tables',
      { cause: error },
    );
  }
  // Whoever starts the process is told what is wrong with Postgres, and not with the migration.
  if (isDatabaseAway(error)) throw error;
  const failed = results.find((result) => result.status === 'Error')?.migrationName ?? '';
  throw new Error(`migration ${failed} failed; nothing was changed`, { cause: error });
}

const insufficientPrivilege = '42501';

/** Records are sent as JSON, and Postgres turns what that escapes into characters in a database with UTF-8 alone. */
async function requireUtf8(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string; encoding: string }>`
    select current_database() as name, current_setting('server_encoding') as encoding`.execute(db);
  const [{ name, encoding } = { name: '', encoding: '' }] = rows;
  if (encoding === 'UTF8') return;
  throw new Error(
    `the database ${name} has the encoding ${encoding}, in which names and records cannot be stored: create one by ` +
      "`create database ... encoding 'UTF8' template template0` and name it in DATABASE_URL",
  );
}

/** Rejects with `SchemaVersionError` unless this release runs on the schema. */
export async function checkVersion(db: Database): Promise<void> {
  const version = await readVersion(db);
  if (version.state === 'behind' || version.state === 'ahead') throw new SchemaVersionError(version);
}

/** Compares the schema with this release's migrations. */
export async function readVersion(db: Database): Promise<SchemaVersion> {
  const known = migrationNames();
  const applied = await appliedNames(db);
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return { state: missing.length > 0 ? 'behind' : 'current', migrations: missing };
  const runs = missing.length === 0 && (await needsOnly(db, known));
  return { state: runs ? 'newer' : 'ahead', migrations: unknown };
}

/** Whether no migration took away what a release with these migrations uses. */
async function needsOnly(db: Database, known: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from needed_migrations`.execute(db);
  return rows.every(({ name }) => known.includes(name));
}

const table = 'applied_migrations';
/** The list of the releases before 0020-list-of-migrations.sql, which says why there are two. */
const oldTable = 'migrations';

/** The list of a database that such a release migrated becomes the beginning of ours. */
async function takeOverList(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${table}))`.execute(trx);
    if (!(await exists(trx, oldTable))) return;
    const [to, from] = [sql.table(table), sql.table(oldTable)];
    await sql`create table if not exists ${to} (like ${from} including all)`.execute(trx);
    await sql`insert into ${to} select * from ${from} on conflict do nothing`.execute(trx);
  });
}

function migrator(db: Database): Migrator {
  return new Migrator({
    db,
    provider: sqlFiles,
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
}

async function appliedNames(db: Database): Promise<string[]> {
  const list = (await exists(db, table)) ? table : oldTable;
  if (list === oldTable && !(await exists(db, oldTable))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(list)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function exists(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

function migrationNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}

/** Each file of `migrations/` is a migration. There is no `down`: the way back is a backup. */
const sqlFiles: MigrationProvider = {
  getMigrations: () =>
    Promise.resolve(Object.fromEntries(migrationNames().map((name) => [name, migration(name)]))),
};

function migration(name: string): Migration {
  const text = readFileSync(new URL(`${name}.sql`, folder), 'utf8');
  return {
    up: async (db) => {
      await sql.raw(text).execute(db);
    },
  };
}
