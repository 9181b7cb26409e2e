import { measureCost } from './measure.ts';
import { callTo } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Way } from './scene.ts';

export const wayNames = ['local', 'across'] as const;
export type WayName = (typeof wayNames)[number];

export const connections = 32;
const worldsPerSide = 8;
/** Short, and many of them: a difference of a few per cent is looked for, and the machine's speed changes within seconds. */
const seconds = 0.5;

/** Two instances and worlds on the second, which are called by way of either. */
export type Side = Record<WayName, Way & { redisPid: number }>;

export async function setSide(rig: Rig, settings: Readonly<Record<string, string>> = {}): Promise<Side> {
  const first = await rig.startInstance(settings);
  const second = await rig.startInstance(settings);
  const worlds = await rig.startWorlds();
  const seats = await rig.seat(worldsPerSide);
  await worlds.connect({
    worlds: seats.map((seat) => ({ ...seat, url: second.url })),
    atOnce: worldsPerSide,
  });
  const { redisPid } = rig;
  return {
    local: { targets: seats.map((seat) => callTo(second, seat)), watched: [second], redisPid },
    across: { targets: seats.map((seat) => callTo(first, seat)), watched: [first, second], redisPid },
  };
}

/** Microseconds of processor time per call, of each round. */
export type Costs<S extends string> = Record<WayName, Record<S, number[]>>;

/** Measures the sides in turns, in an order that rotates. */
export async function takeTurns<S extends string>(
  sides: Record<S, Side>,
  names: readonly S[],
  rounds: number,
): Promise<Costs<S>> {
  const none = () => Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<S, number[]>;
  const costs: Costs<S> = { local: none(), across: none() };
  for (let round = 0; round <= rounds; round++) {
    for (const way of wayNames) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(turn + round) % names.length] as S;
        const { cpuUs } = await measureCost({ ...sides[name][way], connections, seconds });
        // The first round brings the connections' own paths and the processor's caches up.
        if (round > 0) costs[way][name].push(cpuUs);
      }
    }
  }
  return costs;
}
