import { measureCost, warmUp } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import { quickScale } from '../scale.ts';
import type { Scale } from '../scale.ts';
import { seatWorlds } from '../scene.ts';
import { takeTurns } from '../turns.ts';

/** The second without shows what chance alone makes of a ratio. */
const sides = { with: true, without: false, 'without again': false } as const;
const sideNames = ['with', 'without', 'without again'] as const;

/** A call may cost so much more with its log. */
const target = 1.05;

/** So few that each call gets a row, and as fast as answers come, of which an instance keeps a sample. */
const loads = [
  { name: '400 calls a second', connections: 8, perSecond: 400, rounds: 16 },
  { name: '32 connections', connections: 32, rounds: 24 },
] as const;

/** Long enough that most of a round is not its first second, in which an instance does not yet know how many calls come. */
const seconds = 3;

/** Rows are written a second after the first of them came. Reading the time later counts them all. */
const settleMs = 1_200;

/** What recording calls adds to a call's processor time, in alternating rounds on one instance. */
export async function measureCallLog(rig: Rig, scale: Scale): Promise<Section> {
  const instance = await rig.startInstance();
  const targets = (await seatWorlds(rig, instance)).map((seat) => callTo(instance, seat));
  await warmUp(targets, scale);
  const isQuick = scale === quickScale;
  const results = [];
  for (const { name, rounds, ...load } of loads) {
    const costs = await takeTurns(sideNames, isQuick ? 1 : rounds, async (side) => {
      await instance.ask('record-calls', sides[side]);
      const round = { ...load, seconds: isQuick ? scale.seconds : seconds, settleMs };
      return (await measureCost({ targets, watched: [instance], ...round })).cpuUs;
    });
    results.push({ name, costs, ratio: ratioOf(costs.with, costs.without) });
  }
  return {
    title: 'The call log',
    reading: [
      'Processor time per call in µs of one instance that holds the world, with `CALL_LOG` on and off. It is switched within',
      'one process, because two processes of the same code differ by more than the log costs. An instance that is called more',
      'than 500 times a second keeps a sample of the rows, and counts all calls. The time is read when the rows are in',
      'Postgres, so writing them is in the figures; Postgres’ own time is not.',
    ].join('\n'),
    columns: ['Load', 'With', 'Without', 'Ratio', 'Ratio of two without'],
    rows: results.map(({ name, costs, ratio }) => [
      name,
      showSpread(spreadOf(costs.with), 1),
      showSpread(spreadOf(costs.without), 1),
      showSpread(ratio, 3),
      showSpread(ratioOf(costs['without again'], costs.without), 3),
    ]),
    verdicts: results.map(({ name, ratio }) => ({
      what: `CPU per call with the call log, ${name}`,
      target,
      measured: ratio.median,
      unit: 'x',
      whyMissed: 'each row is written as JSON and read again by Postgres, in batches of up to 500',
    })),
  };
}
