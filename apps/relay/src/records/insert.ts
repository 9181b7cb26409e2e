import { notifiedAuditEvents, notifiedOutcomes } from '@tabletop-relay/contract';
import { storable, toColumns } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { isEndKnown, keepOpenConnections } from './connections/keep-open.ts';
import type { Entry, RecordTable } from './waiting-rows.ts';

/** Inserts what it can: one row that Postgres refuses must not hold up the others for ever. */
export async function insertEntries(db: Kysely<Tables>, batch: readonly Entry[], log: Logger): Promise<void> {
  for (const [table, entries] of Map.groupBy(batch, (entry) => entry.table)) {
    const rows = entries.map((entry) => entry.row);
    try {
      await insertRows(db, table, rows);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (batch.length === 1) log.error({ err: error, table }, 'a record was refused');
      else for (const entry of entries) await insertEntries(db, [entry], log);
    }
  }
}

/**
 * Rows of an account that is gone are left out: its deletion must not be undone by a late batch. The lock waits for
 * a deletion that is under way, whose end decides. An attempt to connect without a token that we know belongs in
 * the log of the client's account.
 */
export async function insertRows(
  db: Kysely<Tables>,
  table: RecordTable,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const json = withStorableNames(
    JSON.stringify(rows.map(toColumns), (_key, value: unknown) =>
      typeof value === 'string' ? storable(value) : value,
    ),
  );
  const isOfConnections = table === 'connectionLogs';
  await sql`with ${isOfConnections ? sql`${keepOpenConnections(json)},` : sql``} recorded as (
    insert into ${sql.table(table)}
    select filled.*
    from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb) as record
    cross join lateral jsonb_populate_record(
      record, jsonb_build_object('account_id', ${accountOf(table)})) as filled
    where (filled.account_id is null
      or exists (select 1 from accounts where accounts.id = filled.account_id for key share))
      and not ${isOfConnections ? isEndKnown : sql`false`}
    on conflict do nothing
    returning *)
    ${insertNotices(table)}`.execute(db);
}

/** What is told is told by the statement that records it: neither happens without the other. */
function insertNotices(table: RecordTable) {
  if (table === 'remoteRequestLogs') return sql`select`;
  const isTold =
    table === 'auditLog'
      ? sql`event = any(${notifiedAuditEvents})`
      : sql`(outcome = any(${Object.keys(notifiedOutcomes)}) or metadata_match = false)`;
  return sql`
    insert into notices (account_id, source, record)
    select account_id, ${table === 'auditLog' ? 'audit_log' : 'connection_logs'}, to_jsonb(recorded)
    from recorded where account_id is not null and ${isTold}`;
}

function accountOf(table: RecordTable) {
  if (table !== 'connectionLogs') return sql`record.account_id`;
  return sql`coalesce(
    record.account_id, (select account_id from known_clients k where k.client_id = record.client_id))`;
}

/**
 * JSON that jsonb takes. Where all texts are storable, an escaped NUL or half of a surrogate pair can only stand in the
 * name of an object's field, and a module chooses those of its notices. Before an escape stand whole pairs of backslashes:
 * one more would make it text.
 */
const withStorableNames = (json: string): string =>
  json.replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, '$1\ufffd');

/** SQLSTATE 22 (data) and 23 (constraint): the row's fault, not the server's. */
export function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}
