import { runMigrations } from 'bullmq';
import { Client } from 'pg';

const schema = 'bullmq';

/**
 * Creates or migrates the queue's tables in Postgres, in a schema of their own. `grantTo` is the role of the running
 * processes: it may use the tables afterwards, and create objects in the schema, since a running queue creates a
 * sequence for its job ids. The connection's role must have the right to create schemas.
 */
export async function migrateJobs({ url, grantTo }: { url: string; grantTo: string }): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The running query fails with the connection and reports the error.
  client.on('error', () => {});
  await client.connect();
  try {
    if (!(await mayMigrate(client))) return;
    await runMigrations(client, schema);
    await grant(client, grantTo);
  } finally {
    await client.end();
  }
}

/** A role without the right to migrate accepts existing tables. Throws if there are none. */
async function mayMigrate(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean; made: boolean; role: string }>(
    `select has_database_privilege(current_database(), 'create') as may,
       to_regclass($1) is not null as made, current_user as role`,
    [`${schema}.migration`],
  );
  const [{ may, made, role } = { may: false, made: false, role: '' }] = rows;
  if (may || made) return may;
  throw new Error(
    `the database has no tables of the job queue and the role ${role} may not make them: set ` +
      'MIGRATE_DATABASE_URL to the URL of the role that owns the tables, or REDIS_URL',
  );
}

/** Skips the sequences that the role has created itself, since it owns those. */
async function grant(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant usage, create on schema %I to %I', $1::text, $2::text) as statement
     union all
     select format('grant %s on %s to %I', case
         when c.relkind = 'S' then 'usage'
         when c.relname = 'migration' then 'select'
         else 'select, insert, update, delete' end, c.oid::regclass, $2::text)
     from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'S')
       and pg_has_role(current_user, c.relowner, 'usage')`,
    [schema, role],
  );
  // Two processes that grant at the same time would update the same catalogue rows, and one would fail.
  const lock = `select pg_advisory_xact_lock(hashtext('${schema} grants'))`;
  // Several statements in one query without parameters run as one transaction.
  await client.query([lock, ...rows.map((row) => row.statement)].join(';'));
}
