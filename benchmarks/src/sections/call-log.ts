import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import { seatWorlds } from '../scene.ts';
import type { Way } from '../scene.ts';
import { takeTurns } from '../turns.ts';

/** The second instance without the log shows what chance alone makes of a ratio. */
const sideNames = ['with', 'without', 'without again'] as const;
type SideName = (typeof sideNames)[number];

/** A call may cost so much more with its log. */
const target = 1.05;

/** Many calls at once, of which an instance keeps a sample; and few, of which it keeps all. */
const loads = [1, 32] as const;

/** What recording calls adds to a call's processor time, in alternating rounds on three instances of one kind. */
export async function measureCallLog(rig: Rig, scale: Scale): Promise<Section> {
  const sides = {} as Record<SideName, Way>;
  for (const name of sideNames) {
    const instance = await rig.startInstance({ CALL_LOG: name === 'with' ? 'on' : 'off' });
    const seats = await seatWorlds(rig, instance);
    sides[name] = { targets: seats.map((seat) => callTo(instance, seat)), watched: [instance] };
    await warmUp(sides[name].targets, scale);
  }
  const results = [];
  for (const connections of loads) {
    // Twice the rounds of the other tables, because a difference of a few per cent is looked for.
    const costs = await takeTurns(sideNames, 2 * scale.rounds, async (name) => {
      const { cpuUs } = await measureCost({ ...sides[name], connections, seconds: scale.seconds });
      return cpuUs;
    });
    results.push({ connections, costs });
  }
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
      showSpread(ratioOf(costs.with, costs.without), 3),
      showSpread(ratioOf(costs['without again'], costs.without), 3),
    ]),
    verdicts: results.map(({ connections, costs }) => ({
      what: `CPU per call with the call log, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      target,
      measured: ratioOf(costs.with, costs.without).median,
      unit: 'x',
      whyMissed: 'each row is written as JSON and read again by Postgres, in batches of up to 500',
    })),
  };
}
