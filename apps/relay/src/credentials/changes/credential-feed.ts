import type { Broadcast } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { eventColumns } from './credential-event.ts';
import type { CredentialEvent, NewCredentialEvent } from './credential-event.ts';
import { createCredentialNotices } from './credential-notices.ts';
import { createEventListeners } from './event-listeners.ts';
import { createEventPoll } from './event-poll.ts';
import type { feedSettings } from './feed-settings.ts';

export interface CredentialFeed {
  /** Resolves after the first poll; rejects if Postgres is unavailable. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Whether cached credentials may be used: every change up to about a second ago has arrived. Where one store is away, a
   * change by a process that the other is away from may be hidden: for `CREDENTIAL_TRUST_MS` at most.
   */
  isFresh(): boolean;
  /** Calls the listener once for each event, in no order, within 1 s of its commit while Postgres or Redis answers. */
  subscribe(listener: (event: CredentialEvent) => void): () => void;
  /** Runs `work` in a transaction. The events that it announces are committed with it and told to all instances. */
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

/** Learns of changes of credentials in two ways: it polls their table, and gets a notice from the instance that made them. */
export function createCredentialFeed(options: CredentialFeedOptions): CredentialFeed {
  const { db, pollDb = db, broadcast, log, pollMs = 500, freshMs = 1500, settings } = options;
  const { hear, subscribe, forget } = createEventListeners(log);
  const poll = createEventPoll({
    db: pollDb,
    log,
    hear,
    onPolled: forget,
    onNews: (news) => notices.tell(news),
  });
  const notices = createCredentialNotices({
    broadcast, log, hear, polledAt: poll.lastAt, pollMs, freshMs,
    trustMs: settings.credentialTrustMs,
  }); // prettier-ignore
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    notices.tick();
    poll.runUnlessRunning();
  }

  return {
    async start() {
      notices.start();
      await poll.run();
      timer = setInterval(tick, pollMs).unref();
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
      notices.tell(events);
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
