import { ClusterUnavailable } from '../../failures.ts';
import type { Entry } from '../../streams/stream-store.ts';
import type { Connection } from '../connection.ts';
import { reconnect, sendCommand } from '../connection.ts';
import { readNews } from './stream-news.ts';

type Hear = (gen: string, entries: Entry[]) => void;

/** The subscriptions of this instance to streams on one Redis, on a connection that carries nothing else. */
export interface NewsListener {
  /** Resolves when the subscription stands. */
  watch(channel: string, hear: Hear): Promise<() => void>;
  /** Looks regularly whether the connection is alive. */
  start(everyMs: number, onDead: () => void): void;
  stop(): void;
}

const subscribeBatch = 500;

/** `onGap` is called when lost subscriptions stand again. */
export function createNewsListener(redis: Connection, onGap: () => void): NewsListener {
  const hearers = new Map<string, Set<Hear>>();
  let timer: NodeJS.Timeout | undefined;

  const subscribeAgain = async (): Promise<void> => {
    const channels = [...hearers.keys()];
    for (let at = 0; at < channels.length; at += subscribeBatch) {
      await redis.subscribe(...channels.slice(at, at + subscribeBatch));
    }
    if (channels.length > 0) onGap();
  };
  redis.on('ready', () => void subscribeAgain().catch(() => reconnect(redis)));
  redis.on('messageBuffer', (channel, message) => {
    const hearing = hearers.get(channel.toString());
    const news = hearing && readNews(message);
    if (!news) return;
    for (const hear of hearing) hear(news.gen, news.entries);
  });

  const leave = (channel: string, hear: Hear): void => {
    const hearing = hearers.get(channel);
    hearing?.delete(hear);
    if (hearing?.size !== 0) return;
    hearers.delete(channel);
    if (redis.status === 'ready') redis.unsubscribe?.(channel).catch(() => {});
  };

  return {
    watch: async (channel, hear) => {
      const own: Hear = (gen, entries) => hear(gen, entries);
      const hearing = hearers.get(channel) ?? new Set();
      hearers.set(channel, hearing.add(own));
      try {
        if (redis.status !== 'ready') throw new Error('not connected');
        await redis.subscribe(channel);
      } catch (cause) {
        leave(channel, own);
        throw new ClusterUnavailable('the subscription to a stream does not stand', { cause });
      }
      return () => leave(channel, own);
    },
    start: (everyMs, onDead) => {
      timer = setInterval(() => {
        if (redis.status === 'ready') sendCommand(redis, 'ping', []).catch(onDead);
      }, everyMs);
    },
    stop: () => clearInterval(timer),
  };
}
