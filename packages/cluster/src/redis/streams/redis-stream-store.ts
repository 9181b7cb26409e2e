import { randomBytes } from 'node:crypto';
import { packEntry } from '../../streams/stream-store.ts';
import type { StoreEvents, StreamStore } from '../../streams/stream-store.ts';
import type { StreamBounds, StreamId } from '../../streams/streams.ts';
import { ClusterUnavailable } from '../../failures.ts';
import type { Connect, Connection, Script, ScriptArgument } from '../connection.ts';
import { reconnect, runScript } from '../connection.ts';
import { keys } from '../keys.ts';
import { CHECK, GONE, LISTENERS } from '../scripts/stream-looks.ts';
import { APPEND, APPEND_LOSS, FINISH, READ } from '../scripts/streams.ts';
import type { ClusterTimes } from '../times.ts';
import { createNewsListener } from './news-listener.ts';
import { readEntries, readHead } from './stream-news.ts';

export interface RedisStreamStore extends StreamStore {
  start(): void;
  stop(): void;
}

export interface RedisStreamStoreOptions {
  url: string;
  boot: string;
  connect: Connect;
  times: ClusterTimes;
  bounds: StreamBounds;
  events: () => StoreEvents;
}

/** Streams on one Redis, over connections of their own: events must not hold up the lease or calls. */
export function createRedisStreamStore(options: RedisStreamStoreOptions): RedisStreamStore {
  const { url, boot, connect, times, bounds, events } = options;
  const redis = connect(url, 'relay-events', times);
  const subscriber = connect(url, 'relay-event-subscriber', times);
  const news = createNewsListener(subscriber, () => events().onGap());
  const kept = [bounds.historyEvents, bounds.historyBytes, bounds.historyMs];
  redis.on('ready', () => events().onBack());

  const run = createRun(redis);
  const read = async (stream: StreamId, gen: string, n: number, headAlone: boolean) => {
    const names = [keys.owner(stream.clientId), ...namesOf(stream).slice(0, 2)];
    const args = [newGen(), gen, n, headAlone ? '1' : ''];
    const [head, rows, now] = await run<[Buffer[], [Buffer, Buffer[]][], number]>(READ, names, args);
    return { head: readHead(head), entries: readEntries(rows), now };
  };

  return {
    append: async (stream, { conn, base, entries, offline }) => {
      const rows = entries.flatMap((entry) => [entry.seq, packEntry(conn, entry)]);
      const args = [conn, newGen(), ...kept, base, offline ? '1' : '', ...rows];
      const outcome = await run<Buffer>(APPEND, [keys.owner(stream.clientId), ...namesOf(stream)], args);
      return outcome.toString() as Awaited<ReturnType<StreamStore['append']>>;
    },
    appendLoss: async (stream, dropped) => {
      await run(APPEND_LOSS, namesOf(stream), [...kept, dropped ?? '']);
    },
    finish: async (clientId, conn) => {
      await run(FINISH, [keys.owner(clientId)], [conn]);
    },
    read: (stream, after) => read(stream, after?.gen ?? '', after?.n ?? 0, false),
    head: async (stream) => (await read(stream, '', 0, true)).head,
    check: async (streams) => {
      const names = streams.flatMap((stream) => [
        keys.owner(stream.clientId),
        ...namesOf(stream),
        keys.streamListeners(stream.channel, stream.clientId),
      ]);
      const rows = streams.flatMap(({ clientId, channel, count }) => [clientId, channel, String(count)]);
      const args = [boot, bounds.lingerMs, ...kept, goneMs, newGen(), ...rows];
      return (await run<Buffer[][]>(CHECK, names, args)).map(readHead);
    },
    findGone: (boots) => run<Buffer[]>(GONE, [], boots).then((gone) => gone.map(String)),
    listeners: async (clientId, channels) => {
      const names = channels.map((channel) => keys.streamListeners(channel, clientId));
      const rows = await run<number[][]>(LISTENERS, names, []);
      return rows.map(([count = 0, forMs = 0]) => ({ count, forMs }));
    },
    watch: (stream, hear) => news.watch(keys.streamNews(stream.channel, stream.clientId), hear),
    start: () => {
      for (const connection of [redis, subscriber]) connection.connect().catch(() => {});
      news.start(bounds.checkMs, () => reconnect(subscriber));
    },
    stop: () => {
      news.stop();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

function createRun(redis: Connection) {
  return async function run<T>(script: Script, names: string[], args: readonly ScriptArgument[]): Promise<T> {
    return await runScript<T>(redis, script, names, args, null).catch((cause: unknown) => {
      if (cause instanceof ClusterUnavailable) throw cause;
      throw new ClusterUnavailable('Redis did not answer about a stream', { cause });
    });
  };
}

/** How long an owner must have been gone before listeners hear that the client is offline. */
const goneMs = 3_000;

const newGen = (): string => randomBytes(12).toString('base64url');

/** Head, entries and news of a stream. */
const namesOf = ({ channel, clientId }: StreamId): [string, string, string] => [
  keys.streamHead(channel, clientId),
  keys.stream(channel, clientId),
  keys.streamNews(channel, clientId),
];
