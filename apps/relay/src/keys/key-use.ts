import { toColumns } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { monthOf } from './month.ts';
import type { Principal } from './authenticate.ts';

/** Records the last use of keys and their calls in the month. It writes twice a second, not during calls. */
export interface KeyUse {
  /** Records that the key was accepted. */
  touch: (principal: Principal) => void;
  /** Counts a call in the calendar month (UTC) of `at`. */
  count: (principal: Principal, at: number) => void;
  /** Counts a call that was refused now, so that it counts for no limit. */
  refuse: (caller: { keyId: string; accountId: string }) => void;
  /** Writes at once. Used at drain. Rejects if Postgres is unavailable. */
  flush(): Promise<void>;
}

/** The calls of a key that were written, and the total of the month that they led to. */
export interface WrittenUse {
  keyId: string;
  month: string;
  calls: number;
  total: number;
}

interface Use {
  keyId: string;
  kind: Principal['kind'];
  month: string;
  calls: number;
  refused: number;
  /** 0: it was not used. */
  lastUsedAtMs: number;
  /** The last use of its old value. 0: there was none. */
  oldValueUsedAtMs: number;
}

/** A batch is sent unchanged until it is known to be written. Its number makes Postgres apply it once. */
interface Batch {
  number: number;
  uses: readonly Use[];
}

export interface KeyUseDeps {
  db: Database;
  /** The id of this process. */
  boot: string;
  log: Logger;
  /** Called for each key and month that was written. */
  onWritten: (written: WrittenUse) => void;
  everyMs?: number;
  now?: () => number;
}

/** While Postgres is away each try is a line in the log, so that tries become rare. */
const maxRetryMs = 10_000;

export function createKeyUse(deps: KeyUseDeps): KeyUse {
  const { db, boot, log, onWritten, everyMs = 500, now = Date.now } = deps;
  const uses = createUses(now());
  let batch: Batch = { number: 0, uses: [] };
  let timer: NodeJS.Timeout | undefined;
  let retryMs = everyMs;
  let writing: Promise<void> = Promise.resolve();

  function useOf(keyId: string, kind: Principal['kind'], at: number): Use {
    timer ??= schedule();
    return uses.of(keyId, kind, at);
  }

  function add({ keyId, kind, oldValueEndsAtMs }: Principal, calls: number, at: number): void {
    const use = useOf(keyId, kind, at);
    use.calls += calls;
    use.lastUsedAtMs = at;
    if (oldValueEndsAtMs !== null) use.oldValueUsedAtMs = at;
  }

  const schedule = (afterMs = everyMs) =>
    setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ err: error }, 'key usage could not be written; it is tried again');
        retryMs = Math.min(2 * retryMs, maxRetryMs);
        timer ??= schedule(retryMs);
      });
    }, afterMs).unref();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => {}).then(writeAll);
    return writing;
  }

  async function writeAll(): Promise<void> {
    if (batch.uses.length > 0) await writeBatch();
    const taken = uses.take();
    if (taken.length === 0) return;
    // All instances write rows in the same order, so that they cannot deadlock.
    const sorted = taken.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
    batch = { number: batch.number + 1, uses: sorted };
    await writeBatch();
  }

  async function writeBatch(): Promise<void> {
    await write(db, boot, batch);
    // Until it is told as written, the batch stays: its calls would count twice against their limit.
    const written = await readTotals(db, batch.uses);
    batch = { ...batch, uses: [] };
    retryMs = everyMs;
    for (const use of written) onWritten(use);
  }

  return {
    touch: (principal) => add(principal, 0, now()),
    count: (principal, at) => add(principal, 1, at),
    // A master key, which has the id of its account, has no month: what is counted of it is not written.
    refuse: ({ keyId, accountId }) =>
      void useOf(keyId, keyId === accountId ? 'master' : 'scoped', now()).refused++,
    flush,
  };
}

/** The uses since the last write, one for each key and month. */
function createUses(startedAt: number) {
  /** Those of this month by key: each call looks one up, and a name made of key and month would have to be hashed each time. */
  let ofMonth = new Map<string, Use>();
  /** Those of months that have ended, by month and key: a call counts in the month in which it began. */
  let ended = new Map<string, Use>();
  let month = monthOf(startedAt);
  let startsAt = Date.parse(month.start);

  function turnMonth(at: number): void {
    for (const [keyId, use] of ofMonth) ended.set(`${use.month} ${keyId}`, use);
    ofMonth = new Map();
    month = monthOf(at);
    startsAt = Date.parse(month.start);
  }

  return {
    of(keyId: string, kind: Principal['kind'], at: number): Use {
      if (at >= month.endsAt) turnMonth(at);
      const isOver = at < startsAt;
      const { start } = isOver ? monthOf(at) : month;
      const uses = isOver ? ended : ofMonth;
      const name = isOver ? `${start} ${keyId}` : keyId;
      const known = uses.get(name);
      if (known) return known;
      const use = { keyId, kind, month: start, calls: 0, refused: 0, lastUsedAtMs: 0, oldValueUsedAtMs: 0 };
      uses.set(name, use);
      return use;
    },
    take(): Use[] {
      const taken = [...ended.values(), ...ofMonth.values()];
      ofMonth = new Map();
      ended = new Map();
      return taken;
    },
  };
}

/**
 * Writes a batch. Keys that were revoked meanwhile are left out, because their usage was deleted with them. All accounts and
 * then all keys are held first, each in one order, as whoever changes an account's keys holds the account first: no other
 * batch and no change that is under way can then make this one fail.
 */
async function write(db: Database, boot: string, { number, uses }: Batch): Promise<void> {
  const rows = JSON.stringify(uses.map(toColumns));
  await sql`
    with first_time as (
      insert into usage_batches as last (boot, number) values (${boot}, ${number})
      on conflict (boot) do update set number = excluded.number, at = now() where last.number < excluded.number
      returning boot
    ), use as (
      select u.* from first_time, jsonb_to_recordset(${rows}::jsonb)
        as u(key_id text, kind text, month date, calls bigint, refused bigint, last_used_at_ms double precision,
          old_value_used_at_ms double precision)
    ), newest as (
      select key_id, kind, to_timestamp(max(last_used_at_ms) / 1000) as at,
        to_timestamp(max(old_value_used_at_ms) / 1000) as old_at
      from use where last_used_at_ms > 0 group by key_id, kind
    ), account as (
      select id from accounts where id in (select key_id from use where kind = 'master') order by id for no key update
    ), held as (
      select id from api_keys where (select count(*) from account) >= 0
        and id in (select key_id from use where kind = 'scoped') order by id for no key update
    ), old_value as (
      update old_key_values o set last_used_at = greatest(o.last_used_at, n.old_at)
      from newest n join held on held.id = n.key_id where o.key_id = n.key_id and n.old_at >= o.rolled_at
    ), key as (
      update api_keys k set last_used_at = greatest(k.last_used_at, n.at)
      from newest n join held on held.id = n.key_id where k.id = n.key_id
    ), master as (
      update accounts a set master_key_last_used_at = greatest(a.master_key_last_used_at, n.at)
      from newest n join account on account.id = n.key_id where a.id = n.key_id
    )
    insert into key_usage as total (key_id, month, calls, refused)
    select u.key_id, u.month, u.calls, u.refused from use u join held on held.id = u.key_id
    where u.kind = 'scoped' and (u.calls > 0 or u.refused > 0) order by u.key_id
    on conflict (key_id, month) do update set
      calls = total.calls + excluded.calls, refused = total.refused + excluded.refused`.execute(db);
}

/** Reads the totals after the write. So they are also known if an earlier try wrote the batch and its answer was lost. */
async function readTotals(db: Database, uses: readonly Use[]): Promise<WrittenUse[]> {
  const counted = uses.filter(({ calls }) => calls > 0);
  if (counted.length === 0) return [];
  const keys = JSON.stringify(counted.map(toColumns));
  const { rows } = await sql<Omit<WrittenUse, 'total'> & { total: string }>`
    select u.key_id, u.month, u.calls, k.calls as total
    from jsonb_to_recordset(${keys}::jsonb) as u(key_id text, month text, calls integer)
    join key_usage k on k.key_id = u.key_id and k.month = u.month::date`.execute(db);
  return rows.map((row) => ({ ...row, total: Number(row.total) }));
}
