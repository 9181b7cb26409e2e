import type { Broadcast } from '@tabletop-relay/cluster';
import type { Logger } from 'pino';
import type { CredentialEvent } from './credential-event.ts';

/**
 * Changes of credentials as the instances tell each other by Redis. An instance that cannot poll Postgres depends on them.
 * So every instance tells what it learned by its polls alone. What it failed to tell, it makes up for later.
 */
export interface CredentialNotices {
  start(): void;
  stop(): void;
  /** Tells all instances. Where that fails, they are told later that they missed something, until Redis takes it. */
  tell(events: readonly CredentialEvent[]): void;
  /** To be called at the interval of the polls. */
  tick(): void;
  /** Whether every change arrives, although this instance cannot poll. */
  isFresh(): boolean;
}

export interface CredentialNoticesOptions {
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

/** Every message but a list of events begins so. The release before this one ignores all of them but its own beats. */
const beat = 'beat ';
/** Answers the beat of another: its sender polls, and has told whatever it knows. */
const polled = `${beat}polled`;
/** A change may not have been told: whoever cannot poll believes nothing until it can. */
const missed = `${beat}missed`;
/**
 * Whoever was away from Redis for long, or starts beside a busy cluster, may learn more by one poll. It then only tells that
 * something was missed.
 */
const mostTold = 500;

export function createCredentialNotices(options: CredentialNoticesOptions): CredentialNotices {
  const { broadcast, log, hear, polledAt, pollMs, freshMs, trustMs } = options;
  const own = `${beat}${crypto.randomUUID()} `;
  const heard = { ownAt: -Infinity, gapAt: -Infinity, polledAt: -Infinity };
  let unsubscribe: (() => void)[] = [];
  /** Counts the failures to tell something, until the others know that they missed it. */
  let untold = 0;

  const isPolling = () => performance.now() - polledAt() < 2 * pollMs;

  function onMessage(message: string): void {
    if (message.startsWith(own)) heard.ownAt = Number(message.slice(own.length));
    else if (message === polled) heard.polledAt = performance.now();
    else if (message === missed) heard.gapAt = performance.now();
    else if (message.startsWith(beat)) vouch();
    else for (const event of JSON.parse(message) as CredentialEvent[]) hear(event);
  }

  /** Tells one that cannot poll that another can. Once for several beats, whoever said it. */
  function vouch(): void {
    const isKnown = performance.now() - heard.polledAt < Math.max(trustMs / 4, pollMs);
    if (isPolling() && untold === 0 && !isKnown) void broadcast.publish(topic, polled).catch(() => {});
  }

  function fail(error: unknown): void {
    if (untold++ === 0)
      log.warn({ err: error }, 'a change of credentials could not be told to the instances');
  }

  function leaveOut(changes: number): void {
    if (untold++ === 0) log.info({ changes }, 'too many changes of credentials at once to tell each of them');
  }

  function tellMissed(): void {
    const until = untold;
    const told = () => {
      if (untold !== until) return;
      untold = 0;
      log.info('the instances were told that they missed a change of credentials');
    };
    broadcast.publish(topic, missed).then(told, () => {});
  }

  return {
    start() {
      unsubscribe = [
        broadcast.subscribe(topic, onMessage),
        broadcast.onGap(() => (heard.gapAt = performance.now())),
      ];
    },
    stop() {
      for (const end of unsubscribe) end();
    },
    tell(events) {
      if (events.length === 0) return;
      if (events.length > mostTold) leaveOut(events.length);
      else broadcast.publish(topic, JSON.stringify(events)).catch(fail);
    },
    tick() {
      if (untold > 0) tellMissed();
      // If it comes back, the notices of the others come too.
      if (!isPolling()) void broadcast.publish(topic, own + performance.now()).catch(() => {});
    },
    isFresh() {
      const now = performance.now();
      if (now - heard.ownAt >= freshMs) return false;
      // A revocation may have been missed in a gap, until a poll after it succeeds. Without a poll, a process that reaches
      // Postgres alone may have revoked something, and nobody who could tell it may have read that.
      return heard.gapAt < polledAt() && now - Math.max(polledAt(), heard.polledAt) < trustMs;
    },
  };
}
