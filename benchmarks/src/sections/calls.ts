import { measureCost, warmUp } from '../measure.ts';
import type { Cost } from '../measure.ts';
import type { Section, Verdict } from '../report/report.ts';
import type { Scene, WayName } from '../scene.ts';
import type { Scale } from '../scale.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';
import { takeTurns } from '../turns.ts';

const names: Record<WayName, string> = {
  floor: 'bare Fastify POST (the floor)',
  pipe: 'the least relay',
  local: 'relayed, owner local',
  across: 'relayed, across instances',
};
const order = ['floor', 'pipe', 'local', 'across'] as const;

export interface CallsResult {
  section: Section;
  /** Calls per second at 32 connections (or what comes nearest). */
  capacity: Record<WayName, number>;
}

/** Processor time per call and calls per second. */
export async function measureCalls({ ways, rig }: Scene, scale: Scale): Promise<CallsResult> {
  const rows: string[][] = [];
  const verdicts: Verdict[] = [];
  let capacity: CallsResult['capacity'] | undefined;
  for (const way of order) await warmUp(ways[way].targets, scale);
  for (const connections of scale.connections) {
    const costs = await takeTurns(order, scale.rounds, (way) =>
      measureCost({ ...ways[way], redisPid: rig.redisPid, connections, seconds: scale.seconds }),
    );
    const cpuUs = (way: WayName) => costs[way].map((cost) => cost.cpuUs);
    const ratios = (way: WayName) => ratioOf(cpuUs(way), cpuUs('floor'));
    for (const way of order) rows.push(row(connections, names[way], costs[way], showSpread(ratios(way), 2)));
    verdicts.push(...verdictsOf(connections, cpuUs));
    const perSecond = (way: WayName) => spreadOf(costs[way].map((cost) => cost.perSecond)).median;
    if (!capacity || connections === 32)
      capacity = { floor: perSecond('floor'), pipe: perSecond('pipe'), local: perSecond('local'), across: perSecond('across') }; // prettier-ignore
  }
  const section = {
    title: 'Processor time per call',
    reading: [
      '“The least relay” checks nothing and counts nothing: it parses the call, sends it down a socket and passes the',
      'answer on. It shows how much of a ratio is relaying itself. Across counts both instances together; Redis comes',
      `on top, in its own column. Each way was called for ${scale.warmUpSeconds} s before, so that all are compiled alike.`,
    ].join('\n'),
    columns: [
      'Connections',
      'Way',
      'CPU per call, µs',
      'Ratio to the floor',
      'Calls per second',
      'Redis CPU per call, µs',
    ],
    rows,
    verdicts,
  };
  return { section, capacity: capacity as CallsResult['capacity'] };
}

/** By connections: the more of them, the more calls share a turn of the event loop. */
const targets: Readonly<Record<number, { local: number; across: number }>> = {
  32: { local: 2.6, across: 4.5 },
  256: { local: 2.6, across: 3.5 },
};

function verdictsOf(connections: number, cpuUs: (way: WayName) => number[]): Verdict[] {
  const { local, across } = targets[connections] ?? { local: 2.6, across: 4.5 };
  const verdict = (what: string, way: WayName, target: number): Verdict => ({
    what: `CPU per call, ${what}, ${connections} connections`,
    target,
    measured: ratioOf(cpuUs(way), cpuUs('floor')).median,
    unit: 'x',
    whyMissed: way === 'local' ? whyLocal : whyAcross,
  });
  return [verdict('owner local', 'local', local), verdict('across', 'across', across)];
}

const whyLocal =
  'a write to the world and a read from it, which the least relay pays too, and the checks; see [performance](performance.md)';
const whyAcross =
  'each of the four hops wakes a process, with few connections for few calls; see [performance](performance.md)';

function row(connections: number, name: string, costs: readonly Cost[], ratio: string): string[] {
  const of = (pick: (cost: Cost) => number, digits: number) => showSpread(spreadOf(costs.map(pick)), digits);
  return [
    String(connections),
    name,
    of(({ cpuUs }) => cpuUs, 0),
    ratio,
    of(({ perSecond }) => perSecond, 0),
    name === names.across ? of(({ redisUs }) => redisUs ?? Number.NaN, 0) : '',
  ];
}
