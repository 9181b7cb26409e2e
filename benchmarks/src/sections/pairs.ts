import { measureCost, warmUp } from '../measure.ts';
import type { Rig } from '../rig.ts';
import { callTo } from '../rig.ts';
import type { Scale } from '../scale.ts';
import { seatWorlds } from '../scene.ts';
import type { Way } from '../scene.ts';
import { takeTurns } from '../turns.ts';

export const wayNames = ['local', 'across'] as const;
export type WayName = (typeof wayNames)[number];

/** Bytes that worlds answer, by the connections that ask: short calls, and large answers. */
export const answers = [
  { bytes: 0, connections: 32 },
  { bytes: 100_000, connections: 8 },
  { bytes: 1_000_000, connections: 8 },
] as const;
/** Short, and many of them, because a difference of a few per cent is looked for. */
const seconds = 0.5;

/** Two instances and worlds on the second, which are called by way of either. */
export type Pair = Record<WayName, Way>;

/** A pair for each of the sizes of answers, on the same two instances. */
export async function setPairs(rig: Rig): Promise<Pair[]> {
  const first = await rig.startInstance();
  const second = await rig.startInstance();
  const pairs: Pair[] = [];
  for (const { bytes } of answers) {
    const seats = await seatWorlds(rig, second, bytes);
    pairs.push({
      local: { targets: seats.map((seat) => callTo(second, seat)), watched: [second] },
      across: { targets: seats.map((seat) => callTo(first, seat)), watched: [first, second] },
    });
  }
  return pairs;
}

/** Microseconds of processor time per call, of each round. */
export type Costs<N extends string> = Record<WayName, Record<N, number[]>>;

/** Warms the pairs up and measures them in turns, one way after the other. */
export async function measurePairs<N extends string>(
  pairs: Record<N, Pair>,
  { rounds, connections, scale }: { rounds: number; connections: number; scale: Scale },
): Promise<Costs<N>> {
  const names = Object.keys(pairs) as N[];
  for (const name of names) for (const way of wayNames) await warmUp(pairs[name][way].targets, scale);
  const measure = (way: WayName) =>
    takeTurns(names, rounds, async (name) => {
      const { cpuUs } = await measureCost({ ...pairs[name][way], connections, seconds });
      return cpuUs;
    });
  return { local: await measure('local'), across: await measure('across') };
}
