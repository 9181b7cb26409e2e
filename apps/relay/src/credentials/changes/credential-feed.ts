import type { Broadcast } from '@tabletop-relay/cluster';
import type { CredentialEventsTable, Tables } from '@tabletop-relay/database';
import { milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { sql } from 'kysely';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Logger } from 'pino';

/*
 * What every instance hears of changed credentials, from two sources:
 *
 *   Postgres   a change is committed with its row of `credential_events`, and each instance polls that table
 *   Redis      whoever makes a change, or is the first to read it, publishes it to all instances
 *
 * With Redis away the polls bring every change within a second. With Postgres away from an instance the notices do: it
 * publishes beats to itself, so it knows that Redis delivers, and an instance that can poll answers them, so it knows that
 * somebody publishes what processes without Redis change. What could not be published is made up for by saying that something was missed.
 */

export type NewCredentialEvent = Insertable<CredentialEventsTable>;

/**
 * A change of what a credential may do, as it is published to every instance. The subject `client` means that the world was
 * deleted, `given_back` that a browser unpaired itself. With `sessions_ended` the `subjectId` is the session that stays, or
 * the account's id if none stays.
 */
export type CredentialEvent = Omit<Selectable<CredentialEventsTable>, 'at'>;

const eventColumns = ['id', 'accountId', 'subject', 'subjectId', 'change'] as const;

/** The credentials that somebody has in use. */
export type CredentialKind = 'key' | 'token' | 'session';

/** Whether an event may have changed credentials of a kind. A deleted world may have been one of a key or token. */
function affects({ subject, change }: Pick<CredentialEvent, 'subject' | 'change'>, kind: CredentialKind) {
  if (change === 'sessions_ended') return kind === 'session';
  if (subject === 'client') return kind !== 'session';
  return subject === 'account' || subject === kind;
}

export const feedSettings = {
  credentialTrustMs: milliseconds(
    600_000,
    'How long cached keys are believed while Redis answers and neither this instance nor another that it hears can read Postgres. A revocation by a process that reaches Postgres and not Redis is hidden from it for so long.',
    0,
  ),
};

export type CredentialListener = (event: CredentialEvent) => void;

export interface CredentialFeed {
  /** Resolves after the first poll; rejects if Postgres is unavailable. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Whether cached credentials may be used: every change up to about a second ago has arrived. Where one store is away, a
   * change by a process that the other is away from may be hidden: for `CREDENTIAL_TRUST_MS` at most.
   */
  isFresh(): boolean;
  /**
   * Calls the listener once for each event that may have changed credentials of the kind, in no order, within 1 s of its commit
   * while Postgres or Redis answers. Returns what ends it.
   */
  subscribe(kind: CredentialKind | 'any', listener: CredentialListener): () => void;
  /** Runs `work` in a transaction. The events that it announces are committed with it and published to all instances. */
  change<T>(work: (trx: Transaction<Tables>, announce: Announce) => Promise<T>): Promise<T>;
}

export type Announce = (event: NewCredentialEvent) => void;

export interface CredentialFeedOptions {
  db: Kysely<Tables>;
  /** For the polls, which must not wait for connections that others hold; `db` unless given. */
  pollDb?: Kysely<Tables>;
  broadcast: Broadcast;
  log: Logger;
  pollMs?: number;
  /** The feed counts as fresh for this long after the last poll or notice. */
  freshMs?: number;
  settings: SettingsOf<typeof feedSettings>;
}

export function createCredentialFeed(options: CredentialFeedOptions): CredentialFeed {
  const { db, pollDb = db, broadcast, log, pollMs = 500, freshMs = 1500, settings } = options;
  const { hear, subscribe, forget } = createEventListeners(log);
  const poll = createPoll({
    db: pollDb,
    log,
    hear,
    onPolled: forget,
    onNews: (news) => notices.publish(news),
  });
  const notices = createNotices({
    broadcast, log, hear, polledAt: poll.lastAt, pollMs, freshMs,
    trustMs: settings.credentialTrustMs,
  }); // prettier-ignore
  let timer: NodeJS.Timeout | undefined;

  return {
    async start() {
      notices.start();
      await poll.run();
      timer = setInterval(() => {
        notices.tick();
        poll.runUnlessRunning();
      }, pollMs).unref();
    },
    async stop() {
      clearInterval(timer);
      notices.stop();
      await poll.settle();
    },
    isFresh: () => performance.now() - poll.lastAt() < freshMs || notices.isFresh(),
    subscribe,
    async change(work) {
      const { result, events } = await changeCredentials(db, work);
      for (const event of events) hear(event);
      notices.publish(events);
      return result;
    },
  };
}

/** The transaction of `CredentialFeed.change`. The command line uses it alone; instances then learn of the change by polling. */
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

/** Calls listeners once for each event, although it may come from both sources and several times. */
export function createEventListeners(log: Pick<Logger, 'error'>) {
  const listeners = new Set<CredentialListener>();
  const heardAt = new Map<string, number>();
  return {
    subscribe(kind: CredentialKind | 'any', listener: CredentialListener): () => void {
      const ofKind: CredentialListener = (event) => {
        if (kind === 'any' || affects(event, kind)) listener(event);
      };
      listeners.add(ofKind);
      return () => void listeners.delete(ofKind);
    },
    /** False for an event that came before. */
    hear(event: CredentialEvent): boolean {
      if (heardAt.has(event.id)) return false;
      heardAt.set(event.id, performance.now());
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ err: error }, 'a listener of credential events failed');
        }
      }
      return true;
    },
    /** Forgets the events that came before this time of the monotonic clock. The caller knows that none of them comes again. */
    forget(before: number): void {
      for (const [id, at] of heardAt) if (at < before) heardAt.delete(id);
    },
  };
}

/** A transaction may commit so long after it has written its event. */
const lookBackMs = 10_000;
const giveUpMs = 3_000;

interface PollOptions {
  db: Kysely<Tables>;
  log: Logger;
  /** False for an event that came before. */
  hear(event: CredentialEvent): boolean;
  /** Called with the events that came by no notice before. */
  onNews(events: CredentialEvent[]): void;
  /** Called after each poll. Later polls read no event that came before this time of the monotonic clock. */
  onPolled(forgetBefore: number): void;
}

/** The source in Postgres: reads the events of the last seconds from their table. */
function createPoll({ db, log, hear, onNews, onPolled }: PollOptions) {
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
    onNews(news);
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
    /** Rejects when Postgres is away. */
    run,
    /** Polls, unless an earlier poll may still be answered. A failure is logged. */
    runUnlessRunning(): void {
      // A poll that hangs is given up after a while, because Postgres may answer a new one.
      if (polling && performance.now() - polling.startedAt < giveUpMs) return;
      const end = () => {
        if (polling === current) polling = undefined;
      };
      const current = { startedAt: performance.now(), done: runSafely().finally(end) };
      polling = current;
    },
    /** The time at which the last answered poll began, on the monotonic clock. */
    lastAt: () => polledAt,
    /** Resolves when the poll that runs has ended. */
    settle: async () => await polling?.done,
  };
}

export interface NoticeOptions {
  broadcast: Broadcast;
  log: Pick<Logger, 'info' | 'warn'>;
  hear(event: CredentialEvent): void;
  /** The time at which the last answered poll began, on the monotonic clock. */
  polledAt(): number;
  pollMs: number;
  freshMs: number;
  trustMs: number;
}

const topic = 'credentials';

/** Every message but a list of events begins so. */
const beat = 'beat ';
/** Answers the beat of another: its sender polls, and has published whatever it knows. */
const polled = `${beat}polled`;
/** A change may not have been published: whoever cannot poll believes nothing until it can. */
const missed = `${beat}missed`;
/**
 * Whoever was away from Redis for long, or starts beside a busy cluster, may learn more by one poll. It then only publishes
 * that something was missed.
 */
const mostPublished = 500;

/** The source in Redis: events as the instances publish them to each other. */
export function createNotices(options: NoticeOptions) {
  const { broadcast, log, hear, polledAt, pollMs, freshMs, trustMs } = options;
  const own = `${beat}${crypto.randomUUID()} `;
  const heard = { ownAt: -Infinity, gapAt: -Infinity, polledAt: -Infinity };
  let unsubscribe: (() => void)[] = [];
  /** Counts the failures to publish something, until the others know that they missed it. */
  let unpublished = 0;

  const isPolling = () => performance.now() - polledAt() < 2 * pollMs;

  function onMessage(message: string): void {
    if (message.startsWith(own)) heard.ownAt = Number(message.slice(own.length));
    else if (message === polled) heard.polledAt = performance.now();
    else if (message === missed) heard.gapAt = performance.now();
    else if (message.startsWith(beat)) vouch();
    else for (const event of JSON.parse(message) as CredentialEvent[]) hear(event);
  }

  /** Answers one that cannot poll that another can. Once for several beats, whoever said it. */
  function vouch(): void {
    const isKnown = performance.now() - heard.polledAt < Math.max(trustMs / 4, pollMs);
    if (isPolling() && unpublished === 0 && !isKnown) void broadcast.publish(topic, polled).catch(() => {});
  }

  function fail(error: unknown): void {
    if (unpublished++ === 0)
      log.warn({ err: error }, 'a change of credentials could not be told to the instances');
  }

  function leaveOut(changes: number): void {
    if (unpublished++ === 0)
      log.info({ changes }, 'too many changes of credentials at once to tell each of them');
  }

  function publishMissed(): void {
    const until = unpublished;
    const done = () => {
      if (unpublished !== until) return;
      unpublished = 0;
      log.info('the instances were told that they missed a change of credentials');
    };
    broadcast.publish(topic, missed).then(done, () => {});
  }

  return {
    start(): void {
      unsubscribe = [
        broadcast.subscribe(topic, onMessage),
        broadcast.onGap(() => (heard.gapAt = performance.now())),
      ];
    },
    stop(): void {
      for (const end of unsubscribe) end();
    },
    /** Where it fails, all instances are told later that they missed something, until Redis takes it. */
    publish(events: readonly CredentialEvent[]): void {
      if (events.length === 0) return;
      if (events.length > mostPublished) leaveOut(events.length);
      else broadcast.publish(topic, JSON.stringify(events)).catch(fail);
    },
    /** To be called at the interval of the polls. */
    tick(): void {
      if (unpublished > 0) publishMissed();
      // If it comes back, the notices of the others come too.
      if (!isPolling()) void broadcast.publish(topic, own + performance.now()).catch(() => {});
    },
    /** Whether every change arrives, although this instance cannot poll. */
    isFresh(): boolean {
      const now = performance.now();
      if (now - heard.ownAt >= freshMs) return false;
      // A revocation may have been missed in a gap, until a poll after it succeeds. Without a poll, a process that reaches
      // Postgres alone may have revoked something, and nobody who could publish it may have read that.
      return heard.gapAt < polledAt() && now - Math.max(polledAt(), heard.polledAt) < trustMs;
    },
  };
}
