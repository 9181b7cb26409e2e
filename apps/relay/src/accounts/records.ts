import type {
  AuditLogTable,
  ConnectionLogsTable,
  RemoteRequestLogsTable,
  Tables,
} from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { newId } from '../auth/id.ts';

type Filled<T> = Omit<T, 'id' | 'at' | 'instance_id'>;
export type ConnectionRecord = Filled<ConnectionLogsTable>;
export type RemoteRequestRecord = Filled<RemoteRequestLogsTable>;
export type AuditRecord = Partial<Omit<Filled<AuditLogTable>, 'detail'>> & {
  /** `<thing>.<event>`, for example `api_key.created`. */
  event: string;
  detail?: Record<string, unknown>;
};

/** Writes the append-only records in batches, outside the call that they tell of. */
export interface Records {
  connection(record: ConnectionRecord): void;
  remoteRequest(record: RemoteRequestRecord): void;
  audit(record: AuditRecord): void;
  /** Resolves when all that was recorded so far is in Postgres; rejects after `deadlineMs` without it. */
  flush(deadlineMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface RecordsOptions {
  db: Kysely<Tables>;
  instanceId: string;
  log: Logger;
  everyMs?: number;
  /** Rows kept while Postgres is away; the oldest go first, and the log says how many. */
  maxBacklog?: number;
  now?: () => number;
}

type RecordTable = 'connection_logs' | 'remote_request_logs' | 'audit_log';
interface Entry {
  table: RecordTable;
  row: Record<string, unknown>;
}

const batchSize = 500;
const maxTextLength = 2000;

export function createRecords(options: RecordsOptions): Records {
  const { db, instanceId, log, everyMs = 200, maxBacklog = 20_000, now = Date.now } = options;
  let backlog: Entry[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let partitionsCheckedAt = -Infinity;
  let failing = false;

  function add(table: RecordTable, fields: Record<string, unknown>): void {
    const at = now();
    backlog.push({ table, row: { id: newId(at), at: new Date(at), instance_id: instanceId, ...fields } });
    if (backlog.length > maxBacklog) {
      backlog.shift();
      dropped++;
    }
    timer ??= setTimeout(() => void write(), failing ? 5 * everyMs : everyMs).unref();
  }

  /** One at a time; what fails for want of Postgres goes back to the head of the backlog. */
  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeBatches().finally(() => (writing = undefined));
    return writing;
  }

  async function writeBatches(): Promise<void> {
    while (backlog.length > 0) {
      const batch = backlog.slice(0, batchSize);
      backlog = backlog.slice(batchSize);
      try {
        await ensurePartitions();
        await insert(batch);
        failing = false;
      } catch (error) {
        backlog = [...batch, ...backlog];
        failing = true;
        log.warn({ err: error, backlog: backlog.length, dropped }, 'records wait for Postgres');
        timer ??= setTimeout(() => void write(), 5 * everyMs).unref();
        return;
      }
    }
    if (dropped > 0) log.error({ dropped }, 'records were dropped while Postgres was away');
    dropped = 0;
  }

  async function ensurePartitions(): Promise<void> {
    if (now() - partitionsCheckedAt < 3_600_000) return;
    await sql`select ensure_record_partitions()`.execute(db);
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
      if (backlog.length === 0) return;
      if (performance.now() > deadline) throw new Error(`${backlog.length} records could not be written`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  return {
    connection: (record) => add('connection_logs', record),
    remoteRequest: (record) => add('remote_request_logs', record),
    audit: (record) => add('audit_log', { ...blankAudit, ...record }),
    flush,
    async stop() {
      await flush();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

const blankAudit = {
  account_id: null,
  outcome: 'ok',
  actor: 'anyone',
  client_id: null,
  subject_id: null,
  ip_address: '',
  user_agent: '',
  detail: {},
};

/**
 * Rows of an account that is gone are left out: its deletion must not be undone by a late batch. An attempt to
 * connect without a token that we know belongs in the log of the client's account.
 */
async function insertRows(
  db: Kysely<Tables>,
  table: RecordTable,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const json = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
  await sql`
    insert into ${sql.table(table)}
    select filled.*
    from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb) as record
    cross join lateral jsonb_populate_record(
      record, jsonb_build_object('account_id', ${accountOf(table)})) as filled
    where filled.account_id is null
      or exists (select 1 from accounts where accounts.id = filled.account_id)
    on conflict do nothing`.execute(db);
}

function accountOf(table: RecordTable) {
  if (table !== 'connection_logs') return sql`record.account_id`;
  return sql`coalesce(
    record.account_id, (select account_id from known_clients k where k.client_id = record.client_id))`;
}

/** Text as Postgres takes it: bounded, without NUL and lone surrogates. */
export function storable(text: string, maxLength: number = maxTextLength): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '');
}

/** SQLSTATE 22 (data) and 23 (constraint): the row's fault, not the server's. */
function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}
