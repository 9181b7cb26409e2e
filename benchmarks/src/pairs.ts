import { measureCost, warmUp } from './measure.ts';
import type { Rig } from './rig.ts';
import { callTo } from './rig.ts';
import type { Scale } from './scale.ts';
import { seatWorlds } from './scene.ts';
import type { Way } from './scene.ts';
import { takeTurns } from './turns.ts';

export const wayNames = ['local', 'across'] as const;
export type WayName = (typeof wayNames)[number];

export const connections = 32;
/** Short, and many of them, because a difference of a few per cent is looked for. */
const seconds = 0.5;

/** Two instances and worlds on the second, which are called by way of either. */
export type Pair = Record<WayName, Way>;

export async function setPair(rig: Rig, settings: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const first = await rig.startInstance(settings);
  const second = await rig.startInstance(settings);
  const seats = await seatWorlds(rig, second);
  return {
    local: { targets: seats.map((seat) => callTo(second, seat)), watched: [second] },
    across: { targets: seats.map((seat) => callTo(first, seat)), watched: [first, second] },
  };
}

/** Microseconds of processor time per call, of each round. */
export type Costs<N extends string> = Record<WayName, Record<N, number[]>>;

/** Warms the pairs up and measures them in turns, one way after the other. */
export async function measurePairs<N extends string>(
  pairs: Record<N, Pair>,
  rounds: number,
  scale: Scale,
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
