import type { Child } from '../processes/child.ts';
import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import type { LoadTarget } from '../load.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';

const connectionsEach = 32;
const worldsEach = 8;

/** Whether a call costs the same however many instances there are. */
// oxlint-disable-next-line max-lines-per-function -- A measurement is read from its first step to its table.
export async function measureGrowth(rig: Rig, scale: Scale): Promise<Section> {
  const worlds = await rig.startWorlds();
  const instances: { server: Child; seats: Seat[] }[] = [];
  while (instances.length < Math.max(...scale.instances)) {
    const server = await rig.startInstance();
    const seats = await rig.seat(worldsEach);
    await worlds.connect({ worlds: seats.map((seat) => ({ ...seat, url: server.url })), atOnce: worldsEach });
    instances.push({ server, seats });
  }

  /** Each of so many instances is called for the worlds of the one so many places further. */
  function targetsOf(count: number, shift: number): LoadTarget[] {
    const used = instances.slice(0, count);
    return Array.from({ length: count * worldsEach }, (_, index) => {
      const { server } = used[index % count] as (typeof used)[0];
      const { seats } = used[(index + shift) % count] as (typeof used)[0];
      return callTo(server, seats[Math.floor(index / count)] as (typeof seats)[0]);
    });
  }

  async function measure(count: number, shift: number): Promise<number> {
    const { cpuUs } = await measureCost({
      targets: targetsOf(count, shift),
      watched: instances.slice(0, count).map(({ server }) => server),
      connections: connectionsEach * count,
      seconds: scale.seconds,
    });
    return cpuUs;
  }

  for (const shift of [0, 1]) {
    // Each has its share of the processors only: as many turns as there are instances.
    for (let time = 0; time < instances.length; time++)
      await warmUp(targetsOf(instances.length, shift), scale);
  }

  const results = scale.instances.map((count) => ({ count, local: [] as number[], across: [] as number[] }));
  for (let round = 0; round <= scale.rounds; round++) {
    for (const { count, local, across } of results) {
      const costs = [await measure(count, 0), count > 1 ? await measure(count, 1) : Number.NaN] as const;
      if (round === 0) continue;
      local.push(costs[0]);
      across.push(costs[1]);
    }
  }

  const first = { local: results[0], across: results.find(({ count }) => count > 1) };
  const ratioTo = (way: 'local' | 'across', result: (typeof results)[0]) =>
    ratioOf(result[way], first[way]?.[way] ?? []);
  const two = results.find(({ count }) => count === 2);
  return {
    title: 'Growth',
    reading: [
      `${connectionsEach} connections to each instance; across, each is called for the worlds of the next. All instances’`,
      'processor time over all calls. It stays flat where an instance costs the others nothing; calls per second',
      'cannot grow here, because all of them share this machine’s processors.',
    ].join('\n'),
    columns: ['Instances', 'Owner local, µs', 'Ratio to 1', 'Across, µs', 'Ratio to 2'],
    rows: results.map((result) => [
      String(result.count),
      showSpread(spreadOf(result.local), 0),
      showSpread(ratioTo('local', result), 2),
      ...(result.count > 1
        ? [showSpread(spreadOf(result.across), 0), showSpread(ratioTo('across', result), 2)]
        : ['', '']),
    ]),
    // More instances than processors wake each other: shown, without a target.
    verdicts: two
      ? [
          {
            what: 'CPU per call at 2 instances against 1, owner local',
            target: 1.1,
            measured: ratioTo('local', two).median,
            unit: 'x',
            whyMissed:
              'an instance that is woken for fewer calls shares what a turn of its event loop costs among fewer',
          },
        ]
      : [],
  };
}
