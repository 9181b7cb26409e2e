import { keys } from '../keys.ts';
import { CHECK, WATCH } from '../scripts/calls.ts';
import type { RedisShard } from '../shard/shard.ts';

const noLease = 0;
const listening = 2;
/** Two looks this far apart must both find an owner deaf, because one that restores its subscription is deaf briefly. */
const deafMs = 25;
const lookAgeMs = 10;
/** About every 4 s. For an owner that the looks do not know, because Redis lost its data. */
const checkedEach = 128;

/**
 * Asks Redis whether the owners of the given calls still have their lease and listen. Calls `onGone` for each call
 * whose owner does not, unless the call has another owner by then. Does nothing when Redis does not answer.
 */
export function createWatch<Call extends { owner: string }>(
  shard: RedisShard,
  onGone: (call: Call) => void,
): (calls: Iterable<Call>) => Promise<void> {
  let asking = false;
  let times = 0;

  const findGone = async (owners: string[]): Promise<string[]> => {
    const answer = await shard.run<string | null>(WATCH, [keys.instances], [lookAgeMs, deafMs]);
    const gone = new Set(answer?.split(' '));
    times += 1;
    const doubted = times % checkedEach === 0 ? owners : owners.filter((boot) => gone.has(boot));
    if (doubted.length === 0) return [];
    // The look may be older than the call, and the owner may have come back in between.
    const states = await shard.run<number[]>(CHECK, [], doubted);
    return doubted.filter(
      (boot, at) => states[at] === noLease || (states[at] !== listening && gone.has(boot)),
    );
  };

  return async (calls) => {
    if (asking) return;
    const byOwner = Map.groupBy(calls, (call) => call.owner);
    byOwner.delete('');
    if (byOwner.size === 0) return;
    asking = true;
    const gone = await findGone([...byOwner.keys()]).catch(() => []);
    asking = false;
    for (const boot of gone) byOwner.get(boot)?.forEach((call) => call.owner === boot && onGone(call));
  };
}
