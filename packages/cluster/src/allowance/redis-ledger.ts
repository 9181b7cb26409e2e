import { ClusterUnavailable } from '../failures.ts';
import { createConnect, reconnect } from '../redis/connection.ts';
import { runScript } from '../redis/script.ts';
import { defaultTimes } from '../redis/times.ts';
import type { Ledger } from './allowances.ts';
import { BEAT, ENTER, HIT, LEAVE } from './scripts.ts';

export interface RedisLedgerOptions {
  url: string;
  /** Names this process among the others. */
  boot: string;
  /** What the URL is by now: its user and password are taken from it at each dial. */
  reread?: (url: string) => string;
}

const live = 'r:allow:live';

/** All instances' holdings in one Redis, each change one script. The first word connects. */
export function createRedisLedger({ url, boot, reread }: RedisLedgerOptions): Ledger {
  const redis = createConnect(reread)(url, 'relay-allowances', defaultTimes);

  /** Waits for a connection that is being made. */
  async function connected(): Promise<void> {
    if (redis.status === 'ready') return;
    if (redis.status === 'wait') redis.connect().catch(() => {});
    if (redis.status !== 'connecting' && redis.status !== 'connect') return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(new ClusterUnavailable('Redis is not connected')),
      defaultTimes.answerMs,
    );
    redis.once('ready', resolve).once('close', resolve);
    await promise.finally(() => {
      clearTimeout(timer);
      redis.off('ready', resolve).off('close', resolve);
    });
  }

  return {
    async beat() {
      await connected();
      try {
        return await runScript<number>(redis, BEAT, [live], [boot]);
      } catch (error) {
        // A peer that vanished without a word would be waited for until TCP gives up.
        reconnect(redis);
        throw error;
      }
    },
    async enter(entry) {
      await connected();
      const args = [
        boot,
        entry.window,
        entry.held,
        entry.reserve,
        entry.needed,
        entry.wanted,
        entry.limit,
        Math.ceil(entry.windowMs),
        entry.total ?? -1,
      ];
      const answer = await runScript<[number, number, number, string, number] | null>(
        redis,
        ENTER,
        [`r:allow:${entry.budget}`, live],
        args,
      );
      if (!answer) return undefined;
      const [granted, left, held, window, windowMs] = answer;
      return { granted, left, held, window, windowMs };
    },
    async hit(key, windowMs) {
      await connected();
      const [count, resetMs] = await runScript<[number, number]>(
        redis,
        HIT,
        [`r:hits:${key}`],
        [Math.ceil(windowMs)],
      );
      return { count, resetMs };
    },
    async close() {
      await runScript(redis, LEAVE, [live], [boot]).catch(() => {});
      redis.disconnect();
    },
  };
}
