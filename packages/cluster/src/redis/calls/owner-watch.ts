import { WATCH } from '../scripts/calls.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { WaitingCall } from './waiting-calls.ts';

const noLease = 0;
const notListening = 1;
/** An owner that is just restoring its subscription is missed once. */
const missesAllowed = 1;

/**
 * Asks Redis in one script whether the owners of the given calls still have their lease and listen. Calls `onGone` for
 * each call whose owner does not, unless the call has another owner by then. Does nothing when Redis does not answer.
 */
export function createWatch(
  shard: RedisShard,
  onGone: (call: WaitingCall) => void,
): (calls: Iterable<WaitingCall>) => Promise<void> {
  let misses = new Map<string, number>();
  let asking = false;

  return async (calls) => {
    if (asking) return;
    const byOwner = Map.groupBy(calls, (call) => call.owner);
    byOwner.delete('');
    if (byOwner.size === 0) return;
    asking = true;
    const boots = [...byOwner.keys()];
    const states = await shard.run<number[]>(WATCH, [], boots).catch(() => []);
    asking = false;
    const missed = new Map<string, number>();
    for (const [index, boot] of boots.entries()) {
      const state = states[index];
      const count = state === notListening ? (misses.get(boot) ?? 0) + 1 : 0;
      if (count > 0) missed.set(boot, count);
      if (state === noLease || count > missesAllowed)
        byOwner.get(boot)?.forEach((call) => call.owner === boot && onGone(call));
    }
    misses = missed;
  };
}
