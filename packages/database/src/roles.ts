import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { connectDatabase } from './connect.ts';
import type { ConnectOptions } from './connect.ts';
import type { Tables } from './tables.ts';

/** The role of the processes in the embedded default. It owns nothing. */
export const appRole = 'tabletop_relay_app';

/** Returns the URL of the same database for the role of the running processes. */
export function asAppRole(embeddedUrl: string): string {
  return embeddedUrl.replace('//postgres@', `//${appRole}@`);
}

/** Creates the role of the running processes on the embedded server, unless it exists. */
export async function createAppRole(options: Pick<ConnectOptions, 'url' | 'log'>): Promise<void> {
  const db = connectDatabase({ ...options, poolSize: 1 });
  try {
    const { rows } = await sql`select from pg_roles where rolname = ${appRole}`.execute(db);
    if (rows.length === 0) await sql`create role ${sql.ref(appRole)} login`.execute(db);
  } finally {
    await db.destroy();
  }
}

/** Returns the role of the connection. */
export async function readRole(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  return rows[0]?.role ?? '';
}

/** Tells whether the connection's role could change or drop the tables, as their owner or a superuser can. */
export async function ownsTables(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(current_user, relowner, 'usage') as owns
    from pg_class where oid = to_regclass('accounts')`.execute(db);
  return rows[0]?.owns === true;
}

/**
 * Grants a role the rights that the running processes need, and revokes all others. The role may read, add, change
 * and delete rows; of append-only tables it may only read and add; of the lists of migrations it may only read. It
 * has no rights on partitions, which are reached through their table. This runs after each migration, so a new table
 * needs no grants of its own. The connection's role must own the tables.
 */
export async function grantToApp(owner: Kysely<Tables>, role: string): Promise<void> {
  if (role === (await readRole(owner))) return;
  await owner.transaction().execute(async (trx) => {
    // Two processes that grant at the same time would update the same catalogue rows, and one would fail.
    await sql`select pg_advisory_xact_lock(hashtext('grants'))`.execute(trx);
    const { rows } = await statements(role).execute(trx);
    for (const { statement } of rows) await sql.raw(statement).execute(trx);
  });
}

function statements(role: string) {
  return sql<{ statement: string }>`
    with granted as (
      select c.oid::regclass as name, case
        when c.relispartition then ''
        when c.relname in ('migrations', 'applied_migrations', 'needed_migrations') then 'select'
        when c.relname in ('migrations_lock', 'applied_migrations_lock') then ''
        when exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'append_only')
          then 'select, insert'
        else 'select, insert, update, delete'
      end as rights
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    )
    select format('grant usage on schema %I to %I', current_schema(), ${role}::text) as statement
    union all
    select format('revoke all on %s from %I', name, ${role}::text) from granted
    union all
    select format('grant %s on %s to %I', rights, name, ${role}::text) from granted where rights <> ''
    union all
    select format('grant execute on function %s to %I', p.oid::regprocedure, ${role}::text)
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and p.prorettype <> 'trigger'::regtype`;
}
