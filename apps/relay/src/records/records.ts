import type { ConnectionOutcome, DropReason, RemoteRequestOutcome } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { ConnectionLogsTable, RemoteRequestLogsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { auditRow } from './audit-record.ts';
import type { AuditRecord } from './audit-record.ts';
import { createDroppedRecords } from './dropped.ts';
import type { DroppedCount } from './dropped.ts';
import { insertEntries, insertRows } from './insert.ts';
import { createWaitingRows } from './waiting-rows.ts';
import type { RecordTable } from './waiting-rows.ts';
import { createWriteLoop } from './write-loop.ts';

type Filled<T> = Omit<T, 'id' | 'at' | 'instanceId'>;
export type ConnectionRecord = Filled<ConnectionLogsTable> & {
  outcome: ConnectionOutcome;
  /** The socket that was let in and the process that holds it; absent where none was. */
  conn?: string | undefined;
  boot?: string;
};
export type RemoteRequestRecord = Filled<RemoteRequestLogsTable> & { outcome: RemoteRequestOutcome };

/** Writes the append-only records: most in batches, outside the call that they tell of. */
export interface Records {
  connection(record: ConnectionRecord): void;
  remoteRequest(record: RemoteRequestRecord): void;
  /** Records an event that changes nothing, such as a refused sign-in. It is dropped when its account has too many waiting. */
  audit(record: AuditRecord): void;
  /** Records a change of a credential or an account: the record commits with the change, or neither does. */
  auditIn(trx: Transaction<Tables>, record: AuditRecord): Promise<void>;
  /** Counts something of this account that was refused before it became a record; the account is told. */
  countDropped(accountId: string, reason: DropReason): void;
  /** Resolves when all that was recorded so far is in Postgres; rejects after `deadlineMs` without it. */
  flush(deadlineMs?: number): Promise<void>;
  /** Whether what was recorded cannot be written, or not as fast as it comes. */
  isDatabaseAway(): boolean;
  stop(): Promise<void>;
}

export interface RecordsOptions {
  db: Kysely<Tables>;
  instanceId: string;
  log: Logger;
  /** Called for each record that is dropped. */
  onDropped?: (reason: DropReason) => void;
  /** Rows kept in memory until they are written; beyond it the account with the most loses its oldest. */
  maxBacklog?: number;
  /** Rows kept of one account, and of all strangers together; beyond it the oldest go. */
  maxBacklogPerAccount?: number;
  everyMs?: number;
  /** An account is told at most so often how many of its records were dropped. */
  tellDroppedEveryMs?: number;
  now?: () => number;
}

export function createRecords(options: RecordsOptions): Records {
  const { db, instanceId, log, onDropped, now = Date.now } = options;
  const waiting = createWaitingRows({
    maxRows: options.maxBacklog ?? 20_000,
    maxRowsPerAccount: options.maxBacklogPerAccount ?? 5_000,
    onDrop: (accountId) => countDropped(accountId, loop.isDatabaseAway() ? 'database_away' : 'backlog_full'),
  });
  const dropped = createDroppedRecords(now);
  const ensurePartitions = createEnsurePartitions(now);
  let tellDroppedEveryMs = options.tellDroppedEveryMs ?? 60_000;
  const loop = createWriteLoop({
    waiting,
    log,
    everyMs: options.everyMs ?? 200,
    beforeBatch: tellDropped,
    hasMoreToAdd: () => dropped.size > 0,
    async writeBatch(batch) {
      await ensurePartitions(db);
      await insertEntries(db, batch, log);
    },
  });

  function rowOf(fields: Record<string, unknown>): Record<string, unknown> {
    const at = now();
    return { id: newId(at), at: new Date(at), instanceId, ...fields };
  }

  function add(table: RecordTable, fields: Record<string, unknown>): void {
    waiting.add({ table, row: rowOf(fields) });
    loop.writeSoon();
  }

  function countDropped(accountId: string | null, reason: DropReason): void {
    dropped.add(accountId, reason);
    onDropped?.(reason);
    loop.writeSoon();
  }

  /** An account whose rows still wait is told later, because one more row could push out the next. */
  function tellDropped(): void {
    const counts = dropped.take(tellDroppedEveryMs, (accountId) => !waiting.hasRowsOf(accountId));
    for (const count of counts) waiting.add({ table: 'auditLog', row: rowOf(rowOfDropped(count)) });
    logDropped(log, counts);
  }

  return {
    connection: (record) => add('connectionLogs', record),
    remoteRequest: (record) => add('remoteRequestLogs', record),
    audit: (record) => add('auditLog', auditRow(record)),
    async auditIn(trx, record) {
      await ensurePartitions(trx);
      await insertRows(trx, 'auditLog', [rowOf(auditRow(record))]);
    },
    countDropped,
    flush: loop.flush,
    isDatabaseAway: loop.isDatabaseAway,
    async stop() {
      tellDroppedEveryMs = 0;
      await loop.flush();
      loop.stop();
    },
  };
}

/** Sees once an hour that there are partitions for the rows to come. */
function createEnsurePartitions(now: () => number) {
  let checkedAt = -Infinity;
  return async (db: Kysely<Tables>): Promise<void> => {
    if (now() - checkedAt < 3_600_000) return;
    await sql`select ensure_record_partitions()`.execute(db);
    checkedAt = now();
  };
}

function logDropped(log: Logger, counts: readonly DroppedCount[]): void {
  for (const [reason, group] of Map.groupBy(counts, (count) => count.reason)) {
    const total = group.reduce((sum, { count }) => sum + count, 0);
    log.error({ dropped: total, owners: group.length, reason }, 'records were dropped');
  }
}

function rowOfDropped({ accountId, reason, count, since, until }: DroppedCount) {
  return auditRow({
    accountId,
    event: 'records.dropped',
    detail: { count, reason, since: new Date(since).toISOString(), until: new Date(until).toISOString() },
  });
}
