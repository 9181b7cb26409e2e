import { setTimeout as delay } from 'node:timers/promises';
import { pacedLoad } from '../load.ts';
import type { LoadResult } from '../load.ts';
import { refuseFailures } from '../measure.ts';
import type { Child } from '../processes/child.ts';
import type { World } from '../processes/worlds.ts';
import type { Section } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';

const callsPerSecond = 200;
const callers = 8;
const mostRounds = 3;
/** An instance has told everybody that its worlds are away. */
const settleMs = 4_000;
const maxSeconds = 60;

interface Returns {
  seconds: number[];
  others: LoadResult[];
  retries: number;
}

/** What it costs that all worlds of an instance come back at once: it, and the calls of others. */
export async function measureHerd(rig: Rig, scale: Scale): Promise<Section> {
  const rounds = Math.min(mostRounds, scale.rounds);
  const instance = await rig.startInstance();
  const [herd, busy] = [await rig.startWorlds(), await rig.startWorlds()];
  const seats = await rig.seat(scale.idleClients);
  const worldsAt = (child: Child, of: readonly Seat[]): World[] =>
    of.map((seat) => ({ ...seat, url: child.url }));

  const busySeats = await rig.seat(callers);
  await busy.connect({ worlds: worldsAt(instance, busySeats), atOnce: callers });
  const callOthers = (until: Promise<unknown>) =>
    pacedLoad(busySeats.map((seat) => callTo(instance, seat)), { perSecond: callsPerSecond, until }); // prettier-ignore
  refuseFailures(await callOthers(delay(scale.seconds * 1000)));
  const worlds = worldsAt(instance, seats);
  await herd.connect({ worlds, atOnce: 200 });
  const returns: Returns = { seconds: [], others: [], retries: 0 };
  for (let round = 0; round < rounds; round++) {
    await delay(settleMs);
    const back = Promise.withResolvers<unknown>();
    const others = callOthers(back.promise);
    await herd.ask('drop');
    const storm = await herd
      .connect({ worlds, atOnce: worlds.length })
      .finally(() => back.resolve(undefined));
    returns.others.push(await others);
    returns.seconds.push(storm.seconds);
    returns.retries += storm.retries;
  }
  return report(scale.idleClients, returns);
}

function report(worlds: number, returns: Returns): Section {
  const count = worlds.toLocaleString('en');
  const p50s = returns.others.map(({ p50Ms }) => p50Ms);
  const p99s = returns.others.map(({ p99Ms }) => p99Ms);
  const failed = returns.others.reduce((sum, one) => sum + one.failed, 0);
  const calls = returns.others.reduce((sum, one) => sum + one.requests, 0);
  return {
    title: 'Worlds that come back all at once',
    reading: [
      `One instance and ${count} worlds. All of them are cut and come back at once, while others call`,
      `${callsPerSecond} times a second. Connecting includes the token’s check in Postgres, the claim in Redis and the records.`,
    ].join('\n'),
    columns: ['What', 'Measured'],
    rows: [
      [`Until all ${count} are back`, `${showSpread(spreadOf(returns.seconds), 1)} s`],
      ['Attempts that had to be made again then', String(returns.retries)],
      ['Calls of others then, p50', `${showSpread(spreadOf(p50s), 1)} ms`],
      ['Calls of others then, p99', `${showSpread(spreadOf(p99s), 1)} ms`],
      ['Of those, failed', failed === 0 ? '0' : `${failed} of ${calls}: ${returns.others[0]?.failure}`],
    ],
    verdicts: [
      {
        what: 'All worlds are back',
        target: maxSeconds,
        measured: spreadOf(returns.seconds).median,
        unit: ' s',
        whyMissed: 'they also wait for the worlds’ own process, on the same processors',
      },
      {
        what: 'Calls of others that fail meanwhile',
        target: 0,
        measured: failed,
        unit: '',
        whyMissed: 'the table names the failure',
      },
    ],
  };
}
