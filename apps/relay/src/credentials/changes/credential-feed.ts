import type { Broadcast } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { eventColumns } from './credential-event.ts';
import type { CredentialEvent, NewCredentialEvent } from './credential-event.ts';
import { createEventListeners } from './event-listeners.ts';
import { createEventPoll } from './event-poll.ts';

export interface CredentialFeed {
  /** Resolves after the first poll; rejects if Postgres is unavailable. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether cached credentials may be used: every change up to about a second ago has arrived. */
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
}

const topic = 'credentials';

/** Learns of changes of credentials in two ways: it polls their table, and gets a notice from the instance that made them. */
export function createCredentialFeed(options: CredentialFeedOptions): CredentialFeed {
  const { db, pollDb = db, broadcast, log, pollMs = 500, freshMs = 1500 } = options;
  const { hear, subscribe, forget } = createEventListeners(log);
  const poll = createEventPoll({ db: pollDb, log, hear, onPolled: forget });
  const heard = { noticeAt: -Infinity, gapAt: -Infinity };
  const beat = `beat ${crypto.randomUUID()} `;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void)[] = [];

  function hearNotice(message: string): void {
    if (message.startsWith('beat ')) {
      if (message.startsWith(beat)) heard.noticeAt = Number(message.slice(beat.length));
      return;
    }
    for (const event of JSON.parse(message) as CredentialEvent[]) hear(event);
  }

  function tick(): void {
    // While polls fail, this instance sends itself notices: if they arrive, those of the others arrive too.
    if (!isPollFresh(2 * pollMs)) void broadcast.publish(topic, beat + performance.now()).catch(() => {});
    poll.runUnlessRunning();
  }

  const isPollFresh = (withinMs: number) => performance.now() - poll.lastAt() < withinMs;
  // A revocation may have been missed in a gap of the notices, until a poll after the gap succeeds.
  const isNoticeFresh = () =>
    performance.now() - heard.noticeAt < freshMs && heard.gapAt < poll.lastAt() && poll.lastAt() > -Infinity;

  return {
    async start() {
      unsubscribe = [
        broadcast.subscribe(topic, hearNotice),
        broadcast.onGap(() => (heard.gapAt = performance.now())),
      ];
      await poll.run();
      timer = setInterval(tick, pollMs).unref();
    },
    async stop() {
      clearInterval(timer);
      for (const end of unsubscribe) end();
      await poll.settle();
    },
    isFresh: () => isPollFresh(freshMs) || isNoticeFresh(),
    subscribe,
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
