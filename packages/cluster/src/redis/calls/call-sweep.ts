import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { CallEndings } from './call-endings.ts';
import { createWatch } from './owner-watch.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** Ends the calls that are late, and those whose owner or connection is gone. Runs only while calls wait. */
export interface CallSweep {
  /** To be called with each new call. */
  start(): void;
  /**
   * The subscription on a shard was lost and stands again. The replies to its calls may be lost, so they get a last
   * grace period, but for those that have begun: they come over another connection. Their owners may be reconnecting too,
   * so they are not watched during that period.
   */
  onGap(shard: RedisShard): void;
  stop(): void;
}

export interface CallSweepOptions {
  calls: WaitingCalls;
  shards: readonly RedisShard[];
  endings: CallEndings;
  /** Called at each sweep, with the monotonic time in ms. */
  onSweep: (now: number) => void;
  times: ClusterTimes;
}

export function createCallSweep(options: CallSweepOptions): CallSweep {
  const { calls, shards, endings, times } = options;
  const watchedFrom = new Map<RedisShard, number>();
  const watches = shards.map((shard) => ({
    shard,
    watch: createWatch(shard, (call) => endings.lose(call, 'the owner is gone')),
  }));
  let timer: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  /** Runs after the sockets were read once more: a timer that fires late, after a long turn, finds answers unread. */
  const endLate = (now: number): void => {
    for (const call of calls) {
      if (now >= call.deadline && call.hasBegun) endings.lose(call, 'the reply was not whole in time');
      else if (now >= call.deadline) endings.giveUp(call, 'timeout', 'no reply within the budget');
      else if (now >= call.failAt) endings.lose(call, 'a connection on the way of the call was broken');
    }
    options.onSweep(now);
    if (calls.size === 0) stop();
  };

  const sweep = (): void => {
    const now = performance.now();
    setImmediate(endLate, now);
    for (const { shard, watch } of watches) {
      if (shard.isAnswering() && shard.listener.isListening() && now >= (watchedFrom.get(shard) ?? 0))
        void watch([...calls].filter((call) => call.shard === shard));
    }
  };

  return {
    start: () => {
      timer ??= setInterval(sweep, times.watchMs);
    },
    onGap: (shard) => {
      const failAt = performance.now() + times.graceMs;
      watchedFrom.set(shard, failAt);
      for (const call of calls) {
        if (call.shard === shard && call.maybeSent && !call.hasBegun) call.failAt = failAt;
      }
    },
    stop,
  };
}
