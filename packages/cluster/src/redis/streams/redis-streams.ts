import { createStreams } from '../../streams/create-streams.ts';
import type { Listeners } from '../../streams/stream-store.ts';
import { defaultStreamBounds } from '../../streams/streams.ts';
import type { StreamBounds, StreamId, Streams } from '../../streams/streams.ts';
import type { Connect } from '../connection.ts';
import { shardIndex } from '../keys.ts';
import type { ClusterTimes } from '../times.ts';
import { createRedisStreamStore } from './redis-stream-store.ts';

export interface RedisStreams {
  readonly streams: Streams;
  /** To be called when another instance tells how many listen to a stream of a client of this one. */
  onListeners(stream: StreamId, listeners: Listeners): void;
  /** To be called when what other instances told about the clients of a shard may have been missed. */
  onGap(shard: number): void;
  start(): void;
  stop(flushMs: number): Promise<void>;
}

export interface RedisStreamsOptions {
  shards: readonly string[];
  boot: string;
  connect: Connect;
  times: ClusterTimes;
  streams?: Partial<StreamBounds>;
}

/** The streams of all clients, each on the shard of its client. */
export function createRedisStreams(options: RedisStreamsOptions): RedisStreams {
  const { shards, boot, connect, times } = options;
  const bounds = { ...defaultStreamBounds, ...options.streams };
  const stores = shards.map((url, index) =>
    createRedisStreamStore({ url, boot, connect, times, bounds, events: () => streams.events[index]! }),
  );
  const indexOf = (clientId: string): number => shardIndex(clientId, stores.length);
  const streams = createStreams(stores, indexOf, bounds);
  return {
    streams,
    onListeners: ({ clientId, channel }, { count, forMs }) =>
      streams.events[indexOf(clientId)]?.onListeners({ clientId, channel }, { count, forMs }),
    onGap: (shard) => streams.events[shard]?.onBack(),
    start: () => {
      for (const store of stores) store.start();
      streams.start();
    },
    stop: async (flushMs) => {
      await streams.stop(flushMs);
      for (const store of stores) store.stop();
    },
  };
}
