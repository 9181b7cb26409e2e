import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';
import { callTo, startRig } from '../rig.ts';
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

/**
 * Each pass has instances of its own: two processes of the same code differ by a tenth where memory lies badly for one, and stay so.
 */
const passes = 3;

/** Rows are written a second after the first of them came. Reading the time later counts them all. */
const settleMs = 1_200;

type Costs = Record<SideName, number[]>;

/** What recording calls adds to a call's processor time, in alternating rounds on three instances of one kind. */
export async function measureCallLog(scale: Scale, profileFolder?: string): Promise<Section> {
  const results = loads.map((connections) => ({
    connections,
    costs: { with: [], without: [], 'without again': [] } as Costs,
  }));
  for (let pass = 0; pass < passes; pass++) {
    const rig = await startRig({ profileFolder });
    try {
      const sides = await startSides(rig, scale);
      for (const { connections, costs } of results) {
        const measured = await takeTurns(sideNames, scale.rounds, async (name) => {
          const load = { ...sides[name], connections, seconds: scale.seconds, settleMs };
          return (await measureCost(load)).cpuUs;
        });
        for (const name of sideNames) costs[name].push(...measured[name]);
      }
    } finally {
      await rig.stop();
    }
  }
  return {
    title: 'The call log',
    reading: [
      'Processor time per call in µs of one instance that holds the world, with `CALL_LOG` on and off, in alternating rounds,',
      `on ${passes} sets of instances, because two processes of the same code differ too. An instance that is called more than 500`,
      'times a second keeps a sample of the rows, and counts all calls. The time is read when the rows are in Postgres, so',
      'writing them is in the figures; Postgres’ own time is not.',
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

async function startSides(rig: Rig, scale: Scale): Promise<Record<SideName, Way>> {
  const sides = {} as Record<SideName, Way>;
  for (const name of sideNames) {
    const instance = await rig.startInstance({ CALL_LOG: name === 'with' ? 'on' : 'off' });
    const seats = await seatWorlds(rig, instance);
    sides[name] = { targets: seats.map((seat) => callTo(instance, seat)), watched: [instance] };
    await warmUp(sides[name].targets, scale);
  }
  return sides;
}
