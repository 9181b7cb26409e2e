import { createSources } from './sources.ts';
import type { Sources } from './sources.ts';
import type { StoreEvents, StreamStore } from './stream-store.ts';
import type { ListenersChange, StreamBounds, StreamId, Streams } from './streams.ts';
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
  const shards = stores.map((store): Shard => {
    const sources = createSources({ store, bounds, tell });
    // Its own clients are told before the listener is: what it asks of them next finds them sending.
    const onListeners = (stream: StreamId, count: number): void =>
      sources.onListeners(stream, { count, forMs: bounds.lingerMs });
    return { sources, taps: createTaps(store, onListeners) };
  });
  const clientOf = new Map<string, string>();
  const shardOf = (clientId: string): Shard => shards[indexOf(clientId)] as Shard;
  const sourcesOf = (conn: string): Sources | undefined => {
    const clientId = clientOf.get(conn);
    return clientId === undefined ? undefined : shardOf(clientId).sources;
  };
  let stopLooking = (): void => {};

  return {
    append: (conn, channel, event) => sourcesOf(conn)?.append(conn, channel, event),
    appendGap: (conn, channel, dropped = 1) => sourcesOf(conn)?.appendGap(conn, channel, dropped),
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
    countListeners: async (clientId, channels) => {
      const found = await stores[indexOf(clientId)]?.listeners(clientId, channels);
      return channels.map((_, index) => found?.[index]?.count ?? 0);
    },
    follow: (stream, after, notBefore) => shardOf(stream.clientId).taps.follow(stream, after, notBefore),
    events: shards.map(({ sources, taps }) => ({
      onGap: taps.catchUp,
      onBack: sources.onBack,
      onListeners: sources.onListeners,
    })),
    start: () => {
      stopLooking = lookRegularly(shards, bounds);
    },
    stop: async (flushMs) => {
      stopLooking();
      await stopAll(shards, flushMs);
    },
  };
}

function lookRegularly(
  shards: readonly Shard[],
  { checkMs, checkOwnersMs }: Pick<StreamBounds, 'checkMs' | 'checkOwnersMs'>,
): () => void {
  const look = (ms: number, which: 'check' | 'checkOwners'): NodeJS.Timeout =>
    setInterval(() => {
      for (const { taps } of shards) void taps[which]();
    }, ms);
  const timers = [look(checkMs, 'check'), look(checkOwnersMs, 'checkOwners')];
  return () => {
    for (const timer of timers) clearInterval(timer);
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
