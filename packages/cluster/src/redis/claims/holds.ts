import type { HoldStore } from '../../cluster.ts';
import type { ClusterLog } from '../../log.ts';
import { momentNow } from '../shard/lease.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';

export interface HoldsOptions {
  boot: string;
  holds: HoldStore;
  times: ClusterTimes;
  log: ClusterLog;
}

const abandonedMs = 3_000;

export interface Holds {
  /**
   * Extends the authority of this instance by a hold in Postgres while a shard does not answer. To be called after each
   * failed renewal. A hold that commits after the authority ended has no effect.
   */
  extend(shards: readonly RedisShard[]): void;
  /** Ends the hold on a shard over which this instance has no authority any more, so that newcomers need not wait. */
  end(shard: RedisShard): Promise<void>;
}

export function createHolds(options: HoldsOptions): Holds {
  const { boot, holds, times, log } = options;
  let pendingSince = -Infinity;
  let pending = Promise.resolve();

  const hold = async (silent: readonly RedisShard[]): Promise<void> => {
    const sent = momentNow();
    pendingSince = sent.monotonicMs;
    try {
      await holds.hold(
        boot,
        silent.map(({ index }) => index),
        times.holdMs,
      );
      for (const shard of silent) if (!shard.isAnswering()) shard.lease.holdSince(sent);
    } catch (cause) {
      log.warn({ err: cause }, 'no hold in Postgres: the authority ends with the lease');
    }
    if (pendingSince === sent.monotonicMs) pendingSince = -Infinity;
  };

  return {
    extend: (shards) => {
      const silent = shards.filter((shard) => !shard.isAnswering() && shard.lease.isUsable());
      const isPending = performance.now() - pendingSince < abandonedMs;
      if (silent.length > 0 && !isPending) pending = hold(silent);
    },
    end: async ({ index, name }) => {
      // One that is on its way would come after the end.
      await pending;
      await holds.hold(boot, [index], 0).catch((cause: unknown) => {
        log.warn({ shard: name, err: cause }, 'a hold could not be ended: newcomers wait until it is over');
      });
    },
  };
}
