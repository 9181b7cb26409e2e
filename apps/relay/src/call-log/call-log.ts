import { randomInt } from 'node:crypto';
import type { Broadcast } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import type { Records } from '../records/records.ts';
import { createWriteLoop } from '../records/write-loop.ts';
import { createBodyBounds } from './bodies/body-bounds.ts';
import type { CallLogSettings } from './call-log-settings.ts';
import { createCallNews } from './call-news.ts';
import type { CallNews } from './call-news.ts';
import type { CallOutcome, KeptBody } from './call-row.ts';
import { createWaitingCalls, isHour, isRow } from './waiting-calls.ts';
import type { Entry } from './waiting-calls.ts';
import { createWriteCalls } from './write-calls.ts';

/** A call that has ended, however it did. */
export interface EndedCall extends CallOutcome {
  /** From the arrival of the request to its answer. */
  tookMs: number;
  body?: KeptBody | undefined;
}

/** Writes what became of calls, in batches and outside of the call. Nothing waits for it. */
export interface CallLog {
  record(call: EndedCall): void;
  /** Whether the account wants requests and answers kept: only then is a call given its `body`. */
  keepsBodies(accountId: string): boolean;
  readonly news: CallNews;
  readonly keepers: Keepers;
  start(): Promise<void>;
  /** Resolves when all that was recorded so far is in Postgres; rejects where it is away. */
  flush(): Promise<void>;
  /** As of `Records`. */
  isDatabaseAway(): boolean;
  /** Writes what waits, and ends. */
  stop(): Promise<void>;
}

export interface CallLogOptions {
  db: Database;
  broadcast: Broadcast;
  instanceId: string;
  log: Logger;
  /** Records for an account how many calls were not recorded. */
  records: Pick<Records, 'countDropped'>;
  settings: CallLogSettings;
  now?: () => number;
}

export function createCallLog(options: CallLogOptions): CallLog {
  const { db, broadcast, instanceId, log, records, settings, now = Date.now } = options;
  const news = createCallNews(broadcast);
  const keepers = createKeepers({ db, broadcast, log });
  const bounds = createBodyBounds({
    maxBytesWaiting: settings.callBodyBytesWaiting,
    maxBytesPerHour: settings.callBodyBytesPerHour,
    now,
  });
  const sampling = createSampling(settings.callRowsPerSecond, now);
  const newCallId = createCallIds();
  const waiting = createWaitingCalls(settings, (accountId, { body }) => {
    if (body) bounds.release(body);
    records.countDropped(accountId, loop.isDatabaseAway() ? 'database_away' : 'backlog_full');
  });
  const write = createWriteCalls({ db, instanceId, log, now });
  const loop = createWriteLoop<Entry>({
    waiting,
    log,
    everyMs: settings.callRowsEveryMs,
    beforeBatch: () => {},
    hasMoreToAdd: () => false,
    waitsAfterPartBatch: true,
    async writeBatch(batch) {
      await write(batch);
      for (const { row } of batch.filter(isRow)) if (row.body) bounds.release(row.body);
      const owners = batch.filter(isRow).map(({ owner }) => owner);
      news.announce(new Set([...owners, ...batch.filter(isHour).map(({ accountId }) => accountId)]));
    },
  });

  return {
    news,
    keepers,
    keepsBodies: (accountId) => settings.callLog && keepers.has(accountId),
    record(ended) {
      if (!settings.callLog) return;
      const { accountId, tookMs } = ended;
      const at = Math.round(now() - tookMs);
      const relayMs = Math.max(0, tookMs - (ended.worldMs ?? 0));
      waiting.minutes.add(ended.outcome, at);
      if (!waiting.hours.add(ended, at, relayMs)) records.countDropped(accountId, 'database_away');
      loop.writeSoon();
      const standsFor = sampling.weigh(accountId, ended.outcome !== 'ok');
      if (standsFor === 0) return;
      // Only for a call that gets a row: a copy costs as much as all that stands above.
      const { body, tookMs: _tookMs, ...call } = ended;
      const kept = body && bounds.hold(accountId, body) ? body : undefined;
      const more = { id: newCallId(at), at: new Date(at), relayMs, standsFor, instanceId, body: kept };
      waiting.rows.add(accountId, { ...more, ...call });
    },
    start: keepers.start,
    flush: loop.flush,
    isDatabaseAway: loop.isDatabaseAway,
    async stop() {
      keepers.stop();
      await loop.flush();
      loop.stop();
    },
  };
}

/** The accounts that want requests and answers kept, as this instance knows them. */
export interface Keepers {
  has(accountId: string): boolean;
  /** Publishes to all instances that an account changed its choice. */
  announce(): void;
  start(): Promise<void>;
  stop(): void;
}

const topic = 'call-log-settings';
const everyMs = 30_000;

/**
 * Read at start, at each change and every 30 s. Until the first read nobody's are kept; and what an instance that missed a
 * change still sends is not inserted, because the insert asks the table itself.
 */
function createKeepers(options: { db: Database; broadcast: Broadcast; log: Logger }): Keepers {
  const { db, broadcast, log } = options;
  let keepers: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function read(): Promise<void> {
    try {
      const rows = await db
        .selectFrom('callLogSettings')
        .select('accountId')
        .where('keepsBodies', '=', true)
        .execute();
      keepers = new Set(rows.map(({ accountId }) => accountId));
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'who keeps bodies of calls cannot be read; it is tried again');
    }
  }

  broadcast.subscribe(topic, () => void read());
  return {
    has: (accountId) => keepers.has(accountId),
    announce: () => void broadcast.publish(topic, '').catch(() => {}),
    async start() {
      await read();
      timer = setInterval(() => void read(), everyMs).unref();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Decides which calls get a row of their own while there are more than an instance records. */
export interface Sampling {
  /** How many calls a row of this one stands for; 0 where it gets none. Failures always get one. */
  weigh(accountId: string, isFailure: boolean): number;
}

interface Share {
  seen: number;
  /** Of so many calls one gets a row. */
  every: number;
}

/** Sampling rate at the begin of a burst, which the second before did not announce. */
const everyInBurst = 20;

/**
 * Accounts share the rows of a second. An account that makes fewer calls than its share has a row for each of them,
 * whatever the others do.
 */
export function createSampling(rowsPerSecond: number, now: () => number = Date.now): Sampling {
  let second = 0;
  let rows = 0;
  let shares = new Map<string, Share>();
  let share = rowsPerSecond;

  function beginSecond(next: number): void {
    const before = next === second + 1 ? shares : new Map<string, Share>();
    const total = [...before.values()].reduce((sum, { seen }) => sum + seen, 0);
    share = Math.max(1, rowsPerSecond / Math.max(1, before.size));
    shares = new Map();
    if (total > rowsPerSecond) {
      for (const [accountId, { seen }] of before)
        if (seen > share) shares.set(accountId, { seen: 0, every: Math.ceil(seen / share) });
    }
    second = next;
    rows = 0;
  }

  return {
    weigh(accountId, isFailure) {
      if (isFailure) return 1;
      const current = Math.floor(now() / 1_000);
      if (current !== second) beginSecond(current);
      let own = shares.get(accountId);
      if (!own) shares.set(accountId, (own = { seen: 0, every: 1 }));
      own.seen++;
      const isBurst = rows >= rowsPerSecond && own.seen > share;
      const every = isBurst ? Math.max(own.every, everyInBurst) : own.every;
      if (own.seen % every !== 0) return 0;
      rows++;
      return every;
    },
  };
}

const digits = (value: number, length: number) => value.toString(32).padStart(length, '0').slice(-length);

/** Sorts before all ids of calls that began at the epoch milliseconds `at` or later, and behind all others. */
export const firstCallIdAt = (at: number): string => digits(at, 10);

/**
 * Ids of calls: they sort by the time at which the call began, and are unique over all instances. A call id opens nothing to
 * another account, so it need not be hard to guess; `newId` would cost more than the rest of the row.
 */
function createCallIds(): (at: number) => string {
  const boot = digits(randomInt(2 ** 40), 8);
  let counter = 0;
  let lastMs = 0;
  let time = '';
  return (at) => {
    if (at !== lastMs) {
      lastMs = at;
      time = firstCallIdAt(at);
    }
    counter = (counter + 1) % 2 ** 40;
    return time + boot + digits(counter, 8);
  };
}
