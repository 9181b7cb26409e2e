import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Way } from '../scene.ts';

/** The second instance without the log shows what chance alone makes of a ratio. */
const sideNames = ['with', 'without', 'without again'] as const;
type SideName = (typeof sideNames)[number];

const worldsPerSide = 8;
/** A call may cost so much more with its log. */
const target = 1.05;

/** Many calls at once, of which an instance keeps a sample; and few, of which it keeps all. */
const loads = [1, 32] as const;

/** What recording calls adds to a call's processor time, in alternating rounds on three instances of one kind. */
export async function measureCallLog(rig: Rig, scale: Scale): Promise<Section> {
  const sides = {} as Record<SideName, Way>;
  for (const name of sideNames) {
    sides[name] = await setSide(rig, name === 'with' ? 'on' : 'off');
    await warmUp(sides[name].targets, scale);
  }
  const results = [];
  for (const connections of loads)
    results.push({ connections, costs: await alternate(rig, sides, { scale, connections }) });
  const ratio = (costs: Costs, name: SideName) =>
    spreadOf(costs[name].map((cost, round) => cost / (costs.without[round] as number)));
  return {
    title: 'The call log',
    reading: [
      'Processor time per call in µs of one instance that holds the world, with `CALL_LOG` on and off, in alternating rounds.',
      'An instance that is called more than 500 times a second keeps a sample of the rows, and counts all calls. Writing to',
      'Postgres is in the figures; Postgres’ own time is not.',
    ].join('\n'),
    columns: ['Connections', 'With', 'Without', 'Ratio', 'Ratio of two without'],
    rows: results.map(({ connections, costs }) => [
      String(connections),
      showSpread(spreadOf(costs.with), 1),
      showSpread(spreadOf(costs.without), 1),
      showSpread(ratio(costs, 'with'), 3),
      showSpread(ratio(costs, 'without again'), 3),
    ]),
    verdicts: results.map(({ connections, costs }) => ({
      what: `CPU per call with the call log, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      target,
      measured: ratio(costs, 'with').median,
      unit: 'x',
      whyMissed: 'each row is written as JSON and read again by Postgres, in batches of up to 500',
    })),
  };
}

async function setSide(rig: Rig, callLog: 'on' | 'off'): Promise<Way> {
  const instance = await rig.startInstance({ CALL_LOG: callLog });
  const worlds = await rig.startWorlds();
  const seats = await rig.seat(worldsPerSide);
  await worlds.connect({
    worlds: seats.map((seat) => ({ ...seat, url: instance.url })),
    atOnce: worldsPerSide,
  });
  return { targets: seats.map((seat) => callTo(instance, seat)), watched: [instance] };
}

type Costs = Record<SideName, number[]>;

/** Twice the rounds of the other tables: a difference of a few per cent is what is looked for. */
async function alternate(
  { redisPid }: Rig,
  sides: Record<SideName, Way>,
  { scale: { rounds, seconds }, connections }: { scale: Scale; connections: number },
): Promise<Costs> {
  const costs: Costs = { with: [], without: [], 'without again': [] };
  for (let round = 0; round <= 2 * rounds; round++) {
    for (let turn = 0; turn < sideNames.length; turn++) {
      const name = sideNames[(turn + round) % sideNames.length] as SideName;
      const { cpuUs } = await measureCost({ ...sides[name], redisPid, connections, seconds });
      if (round > 0) costs[name].push(cpuUs);
    }
  }
  return costs;
}
