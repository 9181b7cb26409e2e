import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Tally } from '../tally.ts';

/** The rows of one account as texts, by table. */
export type Rows = Map<string, string[]>;

/** Records are added to, and never changed; of the others each row stays as it is. */
const records = new Set(['connection_logs', 'remote_request_logs', 'audit_log']);

/**
 * What a stranger who knows the e-mail address, or a clientId, adds to that account's records by trying: it is
 * told of them.
 */
const attempts = /"(?:session|password|master_key|module|login|sign_in)\.[a-z_]+"/;

/** Everything that the database holds of an account: every table that names accounts, new ones included. */
export async function readRows(db: Database, accountId: string): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`.execute(db);
  const found: Rows = new Map([['accounts', await select(db, 'accounts', 'id', accountId)]]);
  for (const { name } of tables) found.set(name, await select(db, name, 'account_id', accountId));
  return found;
}

async function select(db: Database, table: string, column: string, accountId: string): Promise<string[]> {
  // When something was last seen or used is written a while after it was.
  const { rows } = await sql<{ text: string }>`
    select (to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text as text from ${sql.table(table)} as t
    where ${sql.ref(`t.${column}`)} = ${accountId} order by 1`.execute(db);
  return rows.map((row) => row.text);
}

/** Tells the tally of each row that is gone, changed or new. */
export function compareRows(tally: Tally, before: Rows, after: Rows): void {
  for (const [table, rows] of before) {
    const now = new Set(after.get(table));
    const gone = rows.filter((row) => !now.has(row));
    const promise = records.has(table) ? 'lost record' : 'changed row';
    for (const row of gone) tally.found(promise, table, row);
  }
  for (const [table, rows] of after) {
    const then = new Set(before.get(table));
    const added = rows.filter((row) => !then.has(row));
    for (const row of added.filter((text) => !isAllowed(table, text))) {
      tally.found('changed row', `a new one in ${table}`, row);
    }
  }
}

function isAllowed(table: string, row: string): boolean {
  // A reset link that anybody may ask for is mailed to the owner.
  if (table === 'password_resets') return true;
  // Notices tell the owner what stands in the other two.
  return (
    table === 'connection_logs' || ((table === 'audit_log' || table === 'notices') && attempts.test(row))
  );
}
