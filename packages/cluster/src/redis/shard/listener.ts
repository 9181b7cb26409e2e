import type { Connection } from '../connection.ts';
import { reconnect } from '../connection.ts';

/** The subscriptions of this instance on one shard: the same few for as long as it lives, none per call. */
export interface Listener {
  /** The subscription stands, and no two heartbeats running went unheard. */
  isListening(): boolean;
  /** Rings when the subscription stands again after it was lost; what was published in between never arrives. */
  onGap(listener: () => void): () => void;
  /** The count to put into the next heartbeat, which this instance must hear back. */
  nextHeartbeat(): number;
  heard(count: number): void;
  /** Called once per renewal that Redis answered: a subscription that hears nothing back is dialled again. */
  check(): void;
  /** Resolves once the subscription stands for the first time. */
  readonly listening: Promise<void>;
}

export interface ListenerOptions {
  redis: Connection;
  channels: string[];
  patterns: string[];
  onMessage: (channel: Buffer, message: Buffer) => void;
  onPatternMessage: (pattern: string, channel: Buffer, message: Buffer) => void;
}

export function createListener(options: ListenerOptions): Listener {
  const { redis, channels, patterns } = options;
  const gapListeners = new Set<() => void>();
  const { promise: listening, resolve: firstStanding } = Promise.withResolvers<void>();
  let standing = false;
  let stoodBefore = false;
  let sentCount = 0;
  let heardCount = 0;
  let missed = 0;

  const subscribe = async (): Promise<void> => {
    await Promise.all([redis.subscribe(...channels), redis.psubscribe(...patterns)]);
    standing = true;
    missed = 0;
    heardCount = sentCount;
    if (stoodBefore) for (const ring of gapListeners) ring();
    stoodBefore = true;
    firstStanding();
  };

  redis.on('ready', () => void subscribe().catch(() => reconnect(redis)));
  redis.on('close', () => (standing = false));
  redis.on('messageBuffer', options.onMessage);
  redis.on('pmessageBuffer', options.onPatternMessage);

  return {
    isListening: () => standing,
    onGap: (listener) => {
      const own = (): void => listener();
      gapListeners.add(own);
      return () => gapListeners.delete(own);
    },
    nextHeartbeat: () => ++sentCount,
    heard: (count) => {
      heardCount = count;
      missed = 0;
    },
    check: () => {
      if (!standing) return;
      // The newest may still be under way. One more miss may be a busy process that has not read its socket yet.
      missed = heardCount < sentCount - 1 ? missed + 1 : 0;
      if (missed < 2) return;
      standing = false;
      reconnect(redis);
    },
    listening,
  };
}
