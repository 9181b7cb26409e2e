import type { Connection } from '../connection.ts';
import { reconnect } from '../connection.ts';

/** The subscriptions of this instance on one shard. They stand before calls need them. */
export interface Listener {
  /** True while the subscription stands and at most one heartbeat in a row was missed. */
  isListening(): boolean;
  /** Called when a lost subscription stands again. Messages published in between never arrive. Returns an unsubscribe. */
  onGap(listener: () => void): () => void;
  /** The count for the next heartbeat, which this instance sends to itself. */
  nextHeartbeat(): number;
  /** To be called with the count of each heartbeat received. */
  heard(count: number): void;
  /** To be called after each answered renewal. Dials again when the heartbeats no longer arrive. */
  check(): void;
  /** Resolves once the subscription stands for the first time. */
  readonly listening: Promise<void>;
}

export interface ListenerOptions {
  redis: Connection;
  /** Read at each new subscription. */
  channels: () => string[];
  /** Called when the subscription stands, the first time and each time again. */
  onStanding: () => void;
  onMessage: (channel: Buffer, message: Buffer) => void;
  /** Redis did not take the subscription. It is asked again. */
  onRefused: (cause: unknown) => void;
}

export function createListener(options: ListenerOptions): Listener {
  const { redis } = options;
  const gapListeners = new Set<() => void>();
  const { promise: listening, resolve: firstStanding } = Promise.withResolvers<void>();
  let standing = false;
  let stoodBefore = false;
  let sentCount = 0;
  let heardCount = 0;
  let missed = 0;

  const subscribe = async (): Promise<void> => {
    await redis.subscribe(...options.channels());
    standing = true;
    missed = 0;
    heardCount = sentCount;
    options.onStanding();
    if (stoodBefore) for (const notify of gapListeners) notify();
    stoodBefore = true;
    firstStanding();
  };

  redis.on(
    'ready',
    () =>
      void subscribe().catch((cause: unknown) => {
        options.onRefused(cause);
        reconnect(redis);
      }),
  );
  redis.on('close', () => (standing = false));
  redis.on('messageBuffer', options.onMessage);

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
      // The newest may still be in flight. A second miss may be a busy process that has not read its socket yet.
      missed = heardCount < sentCount - 1 ? missed + 1 : 0;
      if (missed < 2) return;
      standing = false;
      reconnect(redis);
    },
    listening,
  };
}
