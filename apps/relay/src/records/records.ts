import type { ConnectionOutcome, DropReason } from '@tabletop-relay/contract';
import type { ConnectionLogsTable, RemoteRequestLogsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { newId } from '../credentials/id.ts';
import { auditRow } from './audit-record.ts';
import type { AuditRecord } from './audit-record.ts';
import { createDroppedRecords } from './dropped.ts';
import type { DroppedCount } from './dropped.ts';
import { insertRows, isDataError } from './insert.ts';
import type { RecordTable } from './insert.ts';
import { createWaitingRows } from './waiting-rows.ts';
import type { Entry } from './waiting-rows.ts';

type Filled<T> = Omit<T, 'id' | 'at' | 'instanceId'>;
export type ConnectionRecord = Filled<ConnectionLogsTable> & { outcome: ConnectionOutcome };
export type RemoteRequestRecord = Filled<RemoteRequestLogsTable>;

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

const batchSize = 500;
/** The database does not keep up when a batch takes longer. */
const slowMs = 5_000;

export function createRecords(options: RecordsOptions): Records {
  const {
    db,
    instanceId,
    log,
    onDropped,
    everyMs = 200,
    tellDroppedEveryMs = 60_000,
    now = Date.now,
  } = options;
  const waiting = createWaitingRows({
    maxRows: options.maxBacklog ?? 20_000,
    maxRowsPerAccount: options.maxBacklogPerAccount ?? 5_000,
    onDrop: (accountId) => countDropped(accountId, isDatabaseAway() ? 'database_away' : 'backlog_full'),
  });
  const dropped = createDroppedRecords(now);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let batchBeganAt = Infinity;
  let partitionsCheckedAt = -Infinity;
  let failing = false;
  let stopping = false;

  const isDatabaseAway = () => failing || performance.now() - batchBeganAt > slowMs;

  function rowOf(fields: Record<string, unknown>): Record<string, unknown> {
    const at = now();
    return { id: newId(at), at: new Date(at), instanceId, ...fields };
  }

  function add(table: RecordTable, fields: Record<string, unknown>): void {
    waiting.add({ table, row: rowOf(fields) });
    writeSoon();
  }

  function countDropped(accountId: string | null, reason: DropReason): void {
    dropped.add(accountId, reason);
    onDropped?.(reason);
    writeSoon();
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void write(), failing ? 5 * everyMs : everyMs).unref();
  }

  /** Writes one batch at a time. A batch that Postgres does not take goes back to the head of the backlog. */
  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeBatches().finally(() => {
      writing = undefined;
      if (waiting.size > 0 || dropped.size > 0) writeSoon();
    });
    return writing;
  }

  async function writeBatches(): Promise<void> {
    for (;;) {
      if (!failing) tellDropped();
      const batch = waiting.take(batchSize);
      if (batch.length === 0) return;
      batchBeganAt = performance.now();
      try {
        await ensurePartitions(db);
        await insert(batch);
        failing = false;
      } catch (error) {
        failing = true;
        waiting.putBack(batch);
        log.warn({ err: error, backlog: waiting.size }, 'records wait for Postgres');
        return;
      } finally {
        batchBeganAt = Infinity;
      }
    }
  }

  /** An account whose rows still wait is told later, because one more row could push out the next. */
  function tellDropped(): void {
    const counts = dropped.take(
      stopping ? 0 : tellDroppedEveryMs,
      (accountId) => !waiting.hasRowsOf(accountId),
    );
    for (const count of counts) waiting.add({ table: 'auditLog', row: rowOf(rowOfDropped(count)) });
    for (const [reason, group] of Map.groupBy(counts, (count) => count.reason)) {
      const total = group.reduce((sum, { count }) => sum + count, 0);
      log.error({ dropped: total, owners: group.length, reason }, 'records were dropped');
    }
  }

  async function ensurePartitions(on: Kysely<Tables>): Promise<void> {
    if (now() - partitionsCheckedAt < 3_600_000) return;
    await sql`select ensure_record_partitions()`.execute(on);
    partitionsCheckedAt = now();
  }

  async function insert(batch: readonly Entry[]): Promise<void> {
    for (const [table, entries] of Map.groupBy(batch, (entry) => entry.table)) {
      const rows = entries.map((entry) => entry.row);
      try {
        await insertRows(db, table, rows);
      } catch (error) {
        if (!isDataError(error)) throw error;
        // One row that Postgres refuses must not hold up the others for ever.
        if (batch.length === 1) log.error({ err: error, table }, 'a record was refused');
        else for (const entry of entries) await insert([entry]);
      }
    }
  }

  async function flush(deadlineMs = 5000): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      await write();
      if (waiting.size === 0) return;
      if (performance.now() > deadline) throw new Error(`${waiting.size} records could not be written`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
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
    flush,
    async stop() {
      stopping = true;
      await flush();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function rowOfDropped({ accountId, reason, count, since, until }: DroppedCount) {
  return auditRow({
    accountId,
    event: 'records.dropped',
    detail: { count, reason, since: new Date(since).toISOString(), until: new Date(until).toISOString() },
  });
}
