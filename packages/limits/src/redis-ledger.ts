import { createConnect, reconnect, whenDialled } from '@tabletop-relay/cluster/redis/connection';
import { keys } from '@tabletop-relay/cluster/redis/keys';
import { runScript } from '@tabletop-relay/cluster/redis/script';
import type { Ledger } from './allowances.ts';
import { BEAT, ENTER, HIT, LEAVE } from './scripts.ts';

export interface RedisLedgerOptions {
  url: string;
  /** Names this process among the others. */
  boot: string;
  /** What the URL is by now: its user and password are taken from it at each dial. */
  reread?: (url: string) => string;
}

/** All instances' holdings in one Redis, each change one script. The first word connects. */
export function createRedisLedger({ url, boot, reread }: RedisLedgerOptions): Ledger {
  const redis = createConnect(reread)(url, 'relay-allowances');

  return {
    async beat() {
      await whenDialled(redis);
      try {
        return await runScript<number>(redis, BEAT, [keys.quotaInstances], [boot]);
      } catch (error) {
        // A peer that vanished without a word would be waited for until TCP gives up.
        reconnect(redis);
        throw error;
      }
    },
    async enter(entry) {
      await whenDialled(redis);
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
        [keys.quota(entry.budget), keys.quotaInstances],
        args,
      );
      if (!answer) return undefined;
      const [granted, left, held, window, windowMs] = answer;
      return { granted, left, held, window, windowMs };
    },
    async hit(key, windowMs) {
      await whenDialled(redis);
      const [count, resetMs] = await runScript<[number, number]>(
        redis,
        HIT,
        [keys.hits(key)],
        [Math.ceil(windowMs)],
      );
      return { count, resetMs };
    },
    async close() {
      await runScript(redis, LEAVE, [keys.quotaInstances], [boot]).catch(() => {});
      redis.disconnect();
    },
  };
}
