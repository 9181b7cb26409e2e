import type { Broadcast } from '@tabletop-relay/cluster';
import type { CredentialEventsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Logger } from 'pino';

export type NewCredentialEvent = Insertable<CredentialEventsTable>;

/**
 * One change of rights, as every instance hears it. The subject `client` says that the world was deleted. With
 * `sessions_ended` the `subjectId` is the session that stays, or the account's id where none does.
 */
export type CredentialEvent = Omit<Selectable<CredentialEventsTable>, 'at'>;

const eventColumns = ['id', 'accountId', 'subject', 'subjectId', 'change'] as const;

/** Which credentials an event may have changed: the world of a key or token may be gone. */
export function affects(
  { subject, change }: Pick<CredentialEvent, 'subject' | 'change'>,
  kind: 'key' | 'token' | 'session',
): boolean {
  if (change === 'sessions_ended') return kind === 'session';
  if (subject === 'client') return kind !== 'session';
  return subject === 'account' || subject === kind;
}

export interface CredentialFeed {
  /** Resolves after the first poll; rejects when Postgres is away. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether what is cached may be believed: every change up to a moment ago has been heard. */
  isFresh(): boolean;
  /** Each event once, within 1 s of its commit while either store answers; in no order. */
  subscribe(listener: (event: CredentialEvent) => void): () => void;
  /** Runs `work` in a transaction; the events it announces commit with it and are told to all instances. */
  change<T>(work: (trx: Transaction<Tables>, announce: Announce) => Promise<T>): Promise<T>;
}

export type Announce = (event: NewCredentialEvent) => void;

export interface CredentialFeedOptions {
  db: Kysely<Tables>;
  broadcast: Broadcast;
  log: Logger;
  pollMs?: number;
  /** How old the last word of a feed may be. */
  freshMs?: number;
}

const topic = 'credentials';
const lookBackMs = 10_000;
const giveUpMs = 3000;

/** Hears changes of credentials twice: by polling their table, and by notice from the instance that made them. */
export function createCredentialFeed(options: CredentialFeedOptions): CredentialFeed {
  const { db, broadcast, log, pollMs = 500, freshMs = 1500 } = options;
  const listeners = new Set<(event: CredentialEvent) => void>();
  const seen = new Map<string, number>();
  const heard = { polledAt: -Infinity, noticeAt: -Infinity, gapAt: -Infinity, databaseTime: new Date(0) };
  const beat = `beat ${crypto.randomUUID()} `;
  let timer: NodeJS.Timeout | undefined;
  let polling: { startedAt: number; done: Promise<void> } | undefined;
  let isFailing = false;
  let unsubscribe: (() => void)[] = [];

  function hear(event: CredentialEvent): void {
    if (seen.has(event.id)) return;
    seen.set(event.id, performance.now());
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error }, 'a listener of credential events failed');
      }
    }
  }

  function hearNotice(message: string): void {
    if (message.startsWith('beat ')) {
      if (message.startsWith(beat)) heard.noticeAt = Number(message.slice(beat.length));
      return;
    }
    for (const event of JSON.parse(message) as CredentialEvent[]) hear(event);
  }

  async function poll(): Promise<void> {
    const startedAt = performance.now();
    const since = new Date(heard.databaseTime.getTime() - lookBackMs);
    const [clock, rows] = await Promise.all([
      sql<{ now: Date }>`select clock_timestamp() as now`.execute(db),
      heard.polledAt === -Infinity
        ? []
        : db.selectFrom('credentialEvents').select(eventColumns).where('at', '>', since).execute(),
    ]);
    for (const row of rows) hear(row);
    heard.databaseTime = clock.rows[0]?.now ?? heard.databaseTime;
    heard.polledAt = startedAt;
    const forgetBefore = startedAt - 3 * lookBackMs;
    for (const [id, at] of seen) if (at < forgetBefore) seen.delete(id);
  }

  function tick(): void {
    // While polls fail, our own notices coming back prove that the others' notices reach us.
    if (!isPollFresh(2 * pollMs)) void broadcast.publish(topic, beat + performance.now()).catch(() => {});
    // One that hangs is not waited for for ever: Postgres may be back behind it.
    if (polling && performance.now() - polling.startedAt < giveUpMs) return;
    const current = { startedAt: performance.now(), done: pollSafely().finally(() => end()) };
    const end = () => {
      if (polling === current) polling = undefined;
    };
    polling = current;
  }

  async function pollSafely(): Promise<void> {
    try {
      await poll();
      if (isFailing) log.info('credential events are polled again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'credential events cannot be polled');
      isFailing = true;
    }
  }

  const isPollFresh = (withinMs: number) => performance.now() - heard.polledAt < withinMs;
  // A gap in the notices that no poll has bridged since may hide a revocation.
  const isNoticeFresh = () =>
    performance.now() - heard.noticeAt < freshMs &&
    heard.gapAt < heard.polledAt &&
    heard.polledAt > -Infinity;

  return {
    async start() {
      unsubscribe = [
        broadcast.subscribe(topic, hearNotice),
        broadcast.onGap(() => (heard.gapAt = performance.now())),
      ];
      await poll();
      timer = setInterval(tick, pollMs).unref();
    },
    async stop() {
      clearInterval(timer);
      for (const end of unsubscribe) end();
      await polling?.done;
    },
    isFresh: () => isPollFresh(freshMs) || isNoticeFresh(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async change(work) {
      const { result, events } = await changeCredentials(db, work);
      for (const event of events) hear(event);
      if (events.length > 0) {
        void broadcast
          .publish(topic, JSON.stringify(events))
          .catch((error: unknown) => log.warn({ err: error }, 'a credential notice was not published'));
      }
      return result;
    },
  };
}

/** The transaction behind `CredentialFeed.change`, for the command line: running instances hear it by poll. */
export async function changeCredentials<T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>, announce: Announce) => Promise<T>,
): Promise<{ result: T; events: CredentialEvent[] }> {
  return await db.transaction().execute(async (trx) => {
    const announced: NewCredentialEvent[] = [];
    const result = await work(trx, (event) => announced.push(event));
    if (announced.length === 0) return { result, events: [] };
    const insert = trx.insertInto('credentialEvents').values(announced);
    return { result, events: await insert.returning(eventColumns).execute() };
  });
}
