import { startRedis } from '@tabletop-relay/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { startBoots } from './boots.ts';
import type { Boots } from './boots.ts';
import type { Section, Verdict } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import type { Scale } from '../scale.ts';

const tolerance = 1.3;

/** What is measured, in microseconds of Redis' processor time. */
const kinds = {
  call: 'A call',
  reservation: 'A reservation of a limit',
  rest: 'An instance, each second at rest',
  waiting: 'An instance, each second that it waits for a call to each',
} as const;
type Kind = keyof typeof kinds;

/** What a call and an instance cost Redis, however many instances there are. */
export async function measureInstances({ boots, bootSeconds, bootRounds }: Scale): Promise<Section> {
  const costs = new Map<string, number[]>();
  const add = (kind: Kind, count: number, cost: number) => {
    const key = `${kind} ${count}`;
    costs.set(key, [...(costs.get(key) ?? []), cost]);
  };
  for (let round = 0; round < bootRounds; round++) {
    for (const count of boots) {
      const redis = await startRedis();
      const fleet = await startBoots(redis.url, count);
      for (const [kind, cost] of Object.entries(await measure(fleet, count, bootSeconds)))
        add(kind as Kind, count, cost);
      await fleet.stop();
      await redis.stop();
    }
  }
  const spread = (kind: Kind, count: number) => spreadOf(costs.get(`${kind} ${count}`) ?? []);
  const [first = 1] = boots;
  const last = boots.at(-1) ?? first;
  return {
    title: 'Cost per call, and per instance and second of rest',
    reading: [
      'Microseconds of Redis’ processor time, its system calls included. All instances are simulated: the drivers of',
      'cluster and limits in one process, with their connections, leases, heartbeats and watches, but without HTTP and',
      'Postgres, because two processors cannot hold 100 whole instances. Calls and reservations are made one at a time, over all',
      'instances in turn, and what rest costs meanwhile is taken off; under load many share a script and cost less.',
    ].join('\n'),
    columns: ['What', ...boots.map((count) => `${count} instances`), `Ratio of ${last} to ${first}`],
    rows: (Object.keys(kinds) as Kind[]).map((kind) => [
      kinds[kind],
      ...boots.map((count) => showSpread(spread(kind, count), 0)),
      (spread(kind, last).median / spread(kind, first).median).toFixed(2),
    ]),
    verdicts: (Object.keys(kinds) as Kind[]).map((kind): Verdict => ({
      what: `Redis at ${last} instances against ${first}: ${kinds[kind].toLowerCase()}`,
      target: tolerance,
      measured: spread(kind, last).median / spread(kind, first).median,
      unit: 'x',
      whyMissed: 'see the table',
    })),
  };
}

async function measure(fleet: Boots, count: number, seconds: number): Promise<Record<Kind, number>> {
  const usPerSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const [before, since] = [await fleet.redisUs(), performance.now()];
    await work();
    return ((await fleet.redisUs()) - before) / ((performance.now() - since) / 1_000);
  };
  const rest = await usPerSecond(() => delay(seconds * 2_000));
  /** Of one piece of work, without what rest costs at the same time. */
  const usOf = async (work: (index: number) => Promise<unknown>): Promise<number> => {
    for (let index = 0; index < 2 * count; index++) await work(index);
    const [before, since] = [await fleet.redisUs(), performance.now()];
    let times = 0;
    while (performance.now() - since < seconds * 1_000) await work(times++);
    const restUs = (rest * (performance.now() - since)) / 1_000;
    return ((await fleet.redisUs()) - before - restUs) / times;
  };
  const call = await usOf(fleet.call);
  const reservation = await usOf(fleet.reserve);
  const answer = await fleet.hold();
  const waiting = (await usPerSecond(() => delay(seconds * 1_000))) - rest;
  await answer();
  return { call, reservation, rest: rest / count, waiting: waiting / count };
}
