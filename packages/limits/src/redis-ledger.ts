import { createConnect, reconnect, whenDialled } from '@tabletop-relay/cluster/redis/connection';
import { keys } from '@tabletop-relay/cluster/redis/keys';
import { runScript } from '@tabletop-relay/cluster/redis/script';
import type { Ledger, ReserveRequest } from './ledger.ts';
import { HEARTBEAT, HIT, LEAVE, RESERVE } from './redis-scripts.ts';

export interface RedisLedgerOptions {
  url: string;
  /** Unique id of this process among the instances. */
  boot: string;
  /** Answers the URL as it is now. Each dial takes user and password from it, so that they can be rotated. */
  reread?: (url: string) => string;
}

type ReserveAnswer = [granted: number, remaining: number, held: number, window: string, windowMs: number];

/** A ledger in Redis. Every change is one script. The first request connects. */
export function createRedisLedger({ url, boot, reread }: RedisLedgerOptions): Ledger {
  const redis = createConnect(reread)(url, 'relay-limits');

  return {
    async heartbeat() {
      await whenDialled(redis);
      try {
        return await runScript<number>(redis, HEARTBEAT, [keys.quotaInstances], [boot]);
      } catch (error) {
        // Without it, a connection whose peer vanished would block until TCP times out.
        reconnect(redis);
        throw error;
      }
    },
    async reserve(request) {
      await whenDialled(redis);
      const scriptKeys = [keys.quota(request.quota), keys.quotaInstances];
      const answer = await runScript<ReserveAnswer | null>(redis, RESERVE, scriptKeys, argsOf(boot, request));
      if (!answer) return undefined;
      const [granted, remaining, held, window, windowMs] = answer;
      return { granted, remaining, held, window, windowMs };
    },
    async hit(key, windowMs) {
      await whenDialled(redis);
      const args = [Math.ceil(windowMs)];
      const [count, resetMs] = await runScript<[number, number]>(redis, HIT, [keys.hits(key)], args);
      return { count, resetMs };
    },
    async close() {
      await runScript(redis, LEAVE, [keys.quotaInstances], [boot]).catch(() => {});
      redis.disconnect();
    },
  };
}

function argsOf(boot: string, request: ReserveRequest): (string | number)[] {
  const { window, windowMs, held, reserve, needed, wanted, limit, total = -1 } = request;
  return [boot, window, held, reserve, needed, wanted, limit, Math.ceil(windowMs), total];
}
