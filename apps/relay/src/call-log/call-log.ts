import type { Broadcast } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import type { Records } from '../records/records.ts';
import { createWriteLoop } from '../records/write-loop.ts';
import { createBodyBounds } from './bodies/body-bounds.ts';
import { createCallIds } from './call-ids.ts';
import type { CallLogSettings } from './call-log-settings.ts';
import { createCallNews } from './call-news.ts';
import type { CallNews } from './call-news.ts';
import type { CallOutcome, KeptBody } from './call-row.ts';
import { createKeepers } from './bodies/keepers.ts';
import type { Keepers } from './bodies/keepers.ts';
import { createSampling } from './sampling.ts';
import { createWaitingCalls, isRow } from './waiting-calls.ts';
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
  everyMs?: number;
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
  const write = createWriteCalls({ db, log, now });
  const loop = createWriteLoop<Entry>({
    waiting,
    log,
    everyMs: options.everyMs ?? 1_000,
    beforeBatch: () => {},
    hasMoreToAdd: () => false,
    waitsAfterPartBatch: true,
    async writeBatch(batch) {
      await write(batch);
      for (const { row } of batch.filter(isRow)) if (row.body) bounds.release(row.body);
      news.announce(new Set(batch.map((entry) => (isRow(entry) ? entry.owner : entry.accountId))));
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
