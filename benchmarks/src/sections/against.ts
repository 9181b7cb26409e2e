import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { callTo, startRig } from '../rig.ts';
import type { Rig } from '../rig.ts';
import { quickScale } from '../scale.ts';
import type { Scale } from '../scale.ts';
import type { Way } from '../scene.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';

/** Relays on servers of their own. The second of the other checkout shows what chance alone makes of a ratio. */
const sideNames = ['this', 'other', 'other again'] as const;
type SideName = (typeof sideNames)[number];
const wayNames = ['local', 'across'] as const;
type WayName = (typeof wayNames)[number];

const connections = 32;
const worldsPerSide = 8;
/** Short, and many of them: a difference of a few per cent is looked for, and the machine's speed changes within seconds. */
const seconds = 0.5;

/**
 * Processor time per call of this checkout and of the one in `folder`, which is installed there: whether what lies
 * between them made calls dearer. The sides take turns in every round, in an order that rotates.
 */
export async function measureAgainst(folder: string, scale: Scale): Promise<Section> {
  const rigs: Rig[] = [];
  try {
    const sides = {} as Record<SideName, Record<WayName, Way & { redisPid: number }>>;
    for (const name of sideNames) {
      const rig = await startRig({ checkout: name === 'this' ? undefined : folder });
      rigs.push(rig);
      sides[name] = await setSide(rig);
      for (const way of wayNames) await warmUp(sides[name][way].targets, scale);
    }
    return report(await alternate(sides, scale === quickScale ? 1 : 50));
  } finally {
    for (const rig of rigs) await rig.stop();
  }
}

async function setSide(rig: Rig): Promise<Record<WayName, Way & { redisPid: number }>> {
  const first = await rig.startInstance();
  const second = await rig.startInstance();
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

type Costs = Record<WayName, Record<SideName, number[]>>;

async function alternate(
  sides: Record<SideName, Record<WayName, Way & { redisPid: number }>>,
  rounds: number,
): Promise<Costs> {
  const none = () => ({ this: [], other: [], 'other again': [] });
  const costs: Costs = { local: none(), across: none() };
  for (let round = 0; round <= rounds; round++) {
    const order = sideNames.map((_, index) => sideNames[(index + round) % sideNames.length] as SideName);
    for (const way of wayNames) {
      for (const name of order) {
        const { cpuUs } = await measureCost({ ...sides[name][way], connections, seconds });
        // The first round brings the connections' own paths and the processor's caches up.
        if (round > 0) costs[way][name].push(cpuUs);
      }
    }
  }
  return costs;
}

function report(costs: Costs): Section {
  const ratio = (way: WayName, name: SideName) =>
    showSpread(
      spreadOf(costs[way][name].map((cost, round) => cost / (costs[way].other[round] as number))),
      3,
    );
  const time = (way: WayName, name: SideName) => showSpread(spreadOf(costs[way][name]), 1);
  return {
    title: `Processor time per call at ${connections} connections, against another checkout`,
    reading:
      'In µs. A ratio above 1 says that this checkout is slower. The other checkout runs twice: its ratio to itself is what chance makes.',
    columns: ['Way', 'This', 'Other', 'This / other', 'Other again / other'],
    rows: wayNames.map((way) => [
      way,
      time(way, 'this'),
      time(way, 'other'),
      ratio(way, 'this'),
      ratio(way, 'other again'),
    ]),
    verdicts: [],
  };
}
