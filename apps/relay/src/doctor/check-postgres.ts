import { checkVersion, connectDatabase, ownsTables, reachDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { cureOfPostgres, reasonOf, unreachablePostgres } from '@tabletop-relay/process';
import { sql } from 'kysely';
import { checkInstances } from './check-instances.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

export interface PostgresToCheck {
  url: string;
  /** `DATABASE_POOL`. */
  poolSize: number;
  /** The ids of the keys of RELAY_SECRET. */
  keyIds: readonly string[];
  now(): number;
}

const setting = 'DATABASE_URL';
const testedVersion = 18;
const toleratedSkewMs = 1_000;

export async function checkPostgres({ url, poolSize, keyIds, now }: PostgresToCheck): Promise<Finding[]> {
  const db = connectDatabase({ url, poolSize: 1, log: { warn: () => {} } });
  try {
    // Connects, so that the question of the time takes one round trip.
    await reachDatabase(db);
    const facts = await readFacts(db, now);
    return [
      judgeVersion(facts.version),
      judgeClock('Postgres', facts.skewMs),
      await checkWrites(db),
      ...(await checkInstances({ db, poolSize, keyIds, allowed: facts.connections })),
      ...(await checkSchema(db)),
    ];
  } catch (error) {
    return [
      problem('Postgres', reasonOf(error), cureOfPostgres(setting, error) ?? unreachablePostgres(setting)),
    ];
  } finally {
    await db.destroy();
  }
}

async function readFacts(db: Database, now: () => number) {
  const before = now();
  const { rows } = await sql<{ version: number; time: number; connections: number }>`
    select current_setting('server_version_num')::int / 10000 as version,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as time,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0),
        -- -1 is no limit.
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as connections`.execute(db);
  const [{ version, time, connections } = { version: 0, time: 0, connections: 0 }] = rows;
  return { version, connections, skewMs: skewOf(time, before, now()) };
}

const insufficientPrivilege = '42501';

/**
 * Tries what each change needs: a replica, or a server that is read-only, refuses the table, and a full disk its rows. Both
 * are gone when the transaction ends.
 */
async function checkWrites(db: Database): Promise<Finding> {
  const check = 'Postgres writes';
  try {
    await db.transaction().execute(async (trx) => {
      await sql`create temporary table tried (row text) on commit drop`.execute(trx);
      await sql`insert into tried select repeat('x', 1000) from generate_series(1, 1000)`.execute(trx);
    });
  } catch (error) {
    // A server that is read-only says so first; this one lets the role make no temporary tables.
    if ((error as { code?: unknown }).code !== insufficientPrivilege)
      return problem(check, reasonOf(error), cureOfPostgres(setting, error) ?? unreachablePostgres(setting));
  }
  return ok(check, 'are taken');
}

function judgeVersion(version: number): Finding {
  if (version >= testedVersion) return ok('Postgres', `version ${version}`);
  return warning(
    'Postgres version',
    `${version} is not tested, ${testedVersion} is`,
    `Move to Postgres ${testedVersion}: pg_dump, pg_restore.`,
  );
}

/**
 * By how much a server's clock differs at least, in ms: it read `time` between two readings of ours, and the way there and the way
 * back may have taken any part of that.
 */
export const skewOf = (time: number, before: number, after: number): number =>
  Math.max(0, time - after) + Math.min(0, time - before);

/** Expiry and limits compare times of several machines. */
export function judgeClock(server: string, skewMs: number): Finding {
  if (Math.abs(skewMs) <= toleratedSkewMs) return ok(`clock of ${server}`, 'agrees');
  return problem(
    `clock of ${server}`,
    `${Math.abs(skewMs / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`,
    'Run NTP (chrony, systemd-timesyncd) on both machines.',
  );
}

async function checkSchema(db: Database): Promise<Finding[]> {
  try {
    await checkVersion(db);
  } catch (error) {
    return [
      problem(
        'schema',
        reasonOf(error),
        'Run `pnpm migrate`; where the database is ahead, run the newer release.',
      ),
    ];
  }
  if (await ownsTables(db)) {
    return [
      ok('schema', 'current'),
      warning(
        'database role',
        'the role of DATABASE_URL owns the tables and can change the audit log',
        'Make two roles and set MIGRATE_DATABASE_URL: docs/operations/deploy.md#two-database-roles.',
      ),
    ];
  }
  const { rows } = await sql<{ isGranted: boolean }>`
    select has_schema_privilege(current_schema(), 'usage') and has_table_privilege('audit_log', 'insert')
      and has_table_privilege('accounts', 'update') as "isGranted"`.execute(db);
  if (rows[0]?.isGranted) return [ok('schema', 'current'), ok('database role', 'has its rights and no more')];
  return [
    problem(
      'database role',
      'lacks rights on the tables',
      'Run `pnpm migrate` with MIGRATE_DATABASE_URL set: it grants them.',
    ),
  ];
}
