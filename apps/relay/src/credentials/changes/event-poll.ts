import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { eventColumns } from './credential-event.ts';
import type { CredentialEvent } from './credential-event.ts';

const lookBackMs = 10_000;
const giveUpMs = 3000;

export interface EventPollOptions {
  db: Kysely<Tables>;
  log: Logger;
  /** False for an event that came before. */
  hear(event: CredentialEvent): boolean;
  /** Called with the events that came by no notice before. */
  onNews(events: CredentialEvent[]): void;
  /** Called after each poll. Later polls read no event that came before this time of the monotonic clock. */
  onPolled(forgetBefore: number): void;
}

/** Reads the events of the last seconds from their table. */
export interface EventPoll {
  /** Rejects when Postgres is away. */
  run(): Promise<void>;
  /** Polls, unless an earlier poll may still be answered. A failure is logged. */
  runUnlessRunning(): void;
  /** The time at which the last answered poll began, on the monotonic clock. */
  lastAt(): number;
  /** Resolves when the poll that runs has ended. */
  settle(): Promise<void>;
}

export function createEventPoll({ db, log, hear, onNews, onPolled }: EventPollOptions): EventPoll {
  let polledAt = -Infinity;
  let databaseTime = new Date(0);
  let polling: { startedAt: number; done: Promise<void> } | undefined;
  let isFailing = false;

  async function run(): Promise<void> {
    const startedAt = performance.now();
    const since = new Date(databaseTime.getTime() - lookBackMs);
    const [clock, rows] = await Promise.all([
      sql<{ now: Date }>`select clock_timestamp() as now`.execute(db),
      polledAt === -Infinity
        ? []
        : db.selectFrom('credentialEvents').select(eventColumns).where('at', '>', since).execute(),
    ]);
    const news = rows.filter((row) => hear(row));
    databaseTime = clock.rows[0]?.now ?? databaseTime;
    polledAt = startedAt;
    onPolled(startedAt - 3 * lookBackMs);
    if (news.length > 0) onNews(news);
  }

  async function runSafely(): Promise<void> {
    try {
      await run();
      if (isFailing) log.info('credential events are polled again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'credential events cannot be polled');
      isFailing = true;
    }
  }

  return {
    run,
    runUnlessRunning() {
      // A poll that hangs is given up after a while, because Postgres may answer a new one.
      if (polling && performance.now() - polling.startedAt < giveUpMs) return;
      const end = () => {
        if (polling === current) polling = undefined;
      };
      const current = { startedAt: performance.now(), done: runSafely().finally(end) };
      polling = current;
    },
    lastAt: () => polledAt,
    async settle() {
      await polling?.done;
    },
  };
}
