import { createConnect, reconnect, whenDialled } from '@tabletop-relay/cluster/redis/connection';
import { keys } from '@tabletop-relay/cluster/redis/keys';
import { runScript } from '@tabletop-relay/cluster/redis/connection';
import type { ScriptArgument } from '@tabletop-relay/cluster/redis/connection';
import { createTickBatch } from '@tabletop-relay/cluster/redis/tick-batch';
import type { Grant, Ledger, ReserveRequest } from './ledger.ts';
import { HEARTBEAT, HIT, LEAVE, RESERVE } from './redis-scripts.ts';

export interface RedisLedgerOptions {
  url: string;
  /** Unique id of this process among the instances. */
  boot: string;
  /** Answers the URL as it is now. Each dial takes user and password from it, so that they can be rotated. */
  reread?: (url: string) => string;
}

interface Reserving {
  request: ReserveRequest;
  resolve: (grant: Grant | undefined) => void;
  reject: (cause: unknown) => void;
}

const membershipKeys = [keys.quotaInstances, keys.quotaMembership];

type ReserveAnswer = [granted: number, remaining: number, held: number, window: string, windowMs: number];

/** A ledger in Redis. The reservations of one turn of the event loop share one script. The first request connects. */
export function createRedisLedger({ url, boot, reread }: RedisLedgerOptions): Ledger {
  const redis = createConnect(reread)(url, 'relay-limits');

  const reserveAll = async (batch: Reserving[]): Promise<void> => {
    try {
      await whenDialled(redis);
      const quotas = batch.map(({ request }) => keys.quota(request.quota));
      const args = [boot, ...batch.flatMap(({ request }) => argsOf(request))];
      const answers = await runScript<(ReserveAnswer | null)[]>(
        redis,
        RESERVE,
        [...membershipKeys, ...quotas],
        args,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(grantIn(answers[index]));
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  };
  const enqueue = createTickBatch<Reserving>((batch) => void reserveAll(batch));

  return {
    async heartbeat() {
      await whenDialled(redis);
      try {
        return await runScript<number>(redis, HEARTBEAT, membershipKeys, [boot]);
      } catch (error) {
        // Without it, a connection whose peer vanished would block until TCP times out.
        reconnect(redis);
        throw error;
      }
    },
    reserve: (request) =>
      new Promise((resolve, reject) => enqueue({ request, resolve, reject }, request.quota.length)),
    async hit(key, windowMs) {
      await whenDialled(redis);
      const args = [Math.ceil(windowMs)];
      const [count, resetMs] = await runScript<[number, number]>(redis, HIT, [keys.hits(key)], args);
      return { count, resetMs };
    },
    async close() {
      await runScript(redis, LEAVE, membershipKeys, [boot]).catch(() => {});
      redis.disconnect();
    },
  };
}

function argsOf(request: ReserveRequest): ScriptArgument[] {
  const { window, windowMs, held, reserve, needed, wanted, limit, total = -1 } = request;
  return [window, held, reserve, needed, wanted, limit, Math.ceil(windowMs), total];
}

function grantIn(answer: ReserveAnswer | null | undefined): Grant | undefined {
  if (!answer) return undefined;
  const [granted, remaining, held, window, windowMs] = answer;
  return { granted, remaining, held, window, windowMs };
}
