import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { deleteInBatches } from './delete-in-batches.ts';

/** Days for which each kind of record is kept. */
export interface RetentionDays {
  connectionLogs: number;
  remoteRequestLogs: number;
  auditLog: number;
  notifications: number;
}

/**
 * Creates the partitions of the coming weeks, and drops those in which every record is too old. Deletes the notifications
 * that are too old and no longer tried.
 */
export async function keepRecords(db: Database, days: RetentionDays, signal: AbortSignal): Promise<void> {
  await sql`select ensure_record_partitions()`.execute(db);
  const kept: [table: string, days: number][] = [
    ['connection_logs', days.connectionLogs],
    ['remote_request_logs', days.remoteRequestLogs],
    ['audit_log', days.auditLog],
  ];
  for (const [table, keptDays] of kept) {
    await sql`select drop_old_records(${table}, make_interval(days => ${keptDays}::int))`.execute(db);
  }
  await deleteInBatches(db, {
    table: 'notifications',
    where: sql`status in ('sent', 'failed')
      and created_at < now() - make_interval(days => ${days.notifications}::int)`,
    signal,
  });
}

/** Requests and answers of calls are kept so long. Their partitions are hours, so they are gone within two hours more. */
const callBodyHours = 24;

/**
 * Creates the partitions of the calls to come, and drops those in which every call is too old. Deletes the counts of hours and
 * minutes that no page draws any more.
 */
export async function keepCalls(db: Database, days: number, signal: AbortSignal): Promise<void> {
  await sql`select ensure_call_partitions()`.execute(db);
  await sql`select drop_old_calls(
    make_interval(days => ${days}::int), make_interval(hours => ${callBodyHours}::int))`.execute(db);
  await deleteInBatches(db, {
    table: 'callHours',
    where: sql`hour < now() - make_interval(days => ${days + 1}::int)`,
    signal,
  });
  await deleteInBatches(db, { table: 'callMinutes', where: sql`minute < now() - interval '2 days'`, signal });
}
