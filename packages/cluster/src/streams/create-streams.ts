import { createSources } from './sources.ts';
import type { Sources } from './sources.ts';
import type { StoreEvents, StreamStore } from './stream-store.ts';
import type { ListenersChange, StreamBounds, Streams } from './streams.ts';
import { createTaps } from './taps.ts';
import type { Taps } from './taps.ts';

/** The streams of all clients, over the store of each shard. */
export interface StreamsRun extends Streams {
  /** What the store of a shard tells. */
  readonly events: readonly StoreEvents[];
  start(): void;
  /** Resolves when what ended sockets brought is appended, or after `flushMs`. */
  stop(flushMs: number): Promise<void>;
}

interface Shard {
  sources: Sources;
  taps: Taps;
}

export function createStreams(
  stores: readonly StreamStore[],
  indexOf: (clientId: string) => number,
  bounds: StreamBounds,
): StreamsRun {
  const hearers = new Set<(change: ListenersChange) => void>();
  const tell = (change: ListenersChange): void => {
    for (const hear of hearers) hear(change);
  };
  const shards: Shard[] = stores.map((store) => ({
    sources: createSources({ store, bounds, tell }),
    taps: createTaps(store),
  }));
  const clientOf = new Map<string, string>();
  const shardOf = (clientId: string): Shard => shards[indexOf(clientId)] as Shard;
  const sourcesOf = (conn: string): Sources | undefined => {
    const clientId = clientOf.get(conn);
    return clientId === undefined ? undefined : shardOf(clientId).sources;
  };
  let timer: NodeJS.Timeout | undefined;

  return {
    append: (conn, channel, event) => sourcesOf(conn)?.append(conn, channel, event),
    appendGap: (conn, channel) => sourcesOf(conn)?.appendGap(conn, channel),
    open: (clientId, conn, channels) => {
      clientOf.set(conn, clientId);
      shardOf(clientId).sources.open(clientId, conn, channels);
    },
    close: async (conn, end) => {
      const sources = sourcesOf(conn);
      clientOf.delete(conn);
      await sources?.close(conn, end);
    },
    isWanted: (conn, channel) => sourcesOf(conn)?.isWanted(conn, channel) ?? false,
    onListeners: (listener) => {
      const own = (change: ListenersChange): void => listener(change);
      hearers.add(own);
      return () => hearers.delete(own);
    },
    follow: (stream, after) => shardOf(stream.clientId).taps.follow(stream, after),
    events: shards.map(({ sources, taps }) => ({
      onGap: taps.catchUp,
      onBack: sources.onBack,
      onListeners: sources.onListeners,
    })),
    start: () => {
      timer = setInterval(() => {
        for (const { taps } of shards) void taps.check();
      }, bounds.checkMs);
    },
    stop: async (flushMs) => {
      clearInterval(timer);
      await stopAll(shards, flushMs);
    },
  };
}

async function stopAll(shards: readonly Shard[], flushMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, flushMs);
  await Promise.race([Promise.all(shards.map(({ sources }) => sources.flush())), late.promise]);
  clearTimeout(timer);
  for (const { sources, taps } of shards) {
    sources.stop();
    taps.stop();
  }
}
