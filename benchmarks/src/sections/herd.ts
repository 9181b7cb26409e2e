import { setTimeout as delay } from 'node:timers/promises';
import { pacedLoad } from '../load.ts';
import type { LoadResult } from '../load.ts';
import { refuseFailures } from '../measure.ts';
import type { Child, Usage } from '../processes/child.ts';
import type { World } from '../processes/worlds.ts';
import type { Section, Verdict } from '../report/report.ts';
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
const maxSeconds = 10;
const maxTurnMs = 50;
const maxOthersMs = 150;
const maxRatio = 2.5;
const leastPerSecond = 2_500;

/** One side of the comparison of what a connect costs. */
interface Connects {
  us: number[];
  perSecond: number[];
}

interface Returns {
  seconds: number[];
  turnMs: number[];
  others: LoadResult[];
  retries: number;
}

/** What it costs that all worlds of an instance come back at once: it, and the calls of others. */
export async function measureHerd(rig: Rig, scale: Scale): Promise<Section> {
  const rounds = Math.min(mostRounds, scale.rounds);
  const [instance, least] = [await rig.startInstance(), await rig.startServer('./pipe.ts')];
  const [herd, busy] = [await rig.startWorlds(), await rig.startWorlds()];
  const seats = await rig.seat(scale.idleClients);
  const worldsAt = (child: Child, of: readonly Seat[]): World[] =>
    of.map((seat) => ({ ...seat, url: child.url }));

  const connects = { relay: noConnects(), least: noConnects() };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, child] of [
      ['least', least],
      ['relay', instance],
    ] as const) {
      // prettier-ignore
      const measured = await connectAll(child, herd, worldsAt(child, seats));
      // The first round shows how fast code is that V8 has not compiled yet.
      if (round > 0) {
        connects[name].us.push(measured.us);
        connects[name].perSecond.push(measured.perSecond);
      }
    }
  }

  const busySeats = await rig.seat(callers);
  await busy.connect({ worlds: worldsAt(instance, busySeats), atOnce: callers });
  const callOthers = (until: Promise<unknown>) =>
    pacedLoad(busySeats.map((seat) => callTo(instance, seat)), { perSecond: callsPerSecond, until }); // prettier-ignore
  refuseFailures(await callOthers(delay(scale.seconds * 1000)));
  const worlds = worldsAt(instance, seats);
  await herd.connect({ worlds, atOnce: 200 });
  const returns: Returns = { seconds: [], turnMs: [], others: [], retries: 0 };
  for (let round = 0; round < rounds; round++) {
    await delay(settleMs);
    await instance.ask('longestTurn');
    const back = Promise.withResolvers<unknown>();
    const others = callOthers(back.promise);
    await herd.ask('drop');
    const storm = await herd
      .connect({ worlds, atOnce: worlds.length })
      .finally(() => back.resolve(undefined));
    returns.others.push(await others);
    returns.seconds.push(storm.seconds);
    returns.retries += storm.retries;
    returns.turnMs.push(await instance.ask<number>('longestTurn'));
  }
  return report(scale.idleClients, connects, returns);
}

const noConnects = (): Connects => ({ us: [], perSecond: [] });

/** Connects all worlds, 200 at a time, and cuts them again. */
async function connectAll(
  child: Child,
  herd: Awaited<ReturnType<Rig['startWorlds']>>,
  worlds: World[],
): Promise<{ us: number; perSecond: number }> {
  const before = await child.ask<Usage>('usage');
  const { seconds } = await herd.connect({ worlds, atOnce: 200 });
  const after = await child.ask<Usage>('usage');
  await herd.ask('drop');
  await delay(settleMs);
  return { us: (after.cpuUs - before.cpuUs) / worlds.length, perSecond: worlds.length / seconds };
}

function report(
  worlds: number,
  { relay, least }: Record<'relay' | 'least', Connects>,
  returns: Returns,
): Section {
  const count = worlds.toLocaleString('en');
  const ratios = relay.us.map((us, round) => us / (least.us[round] ?? us));
  const p50s = returns.others.map(({ p50Ms }) => p50Ms);
  const p99s = returns.others.map(({ p99Ms }) => p99Ms);
  const failed = returns.others.reduce((sum, one) => sum + one.failed, 0);
  const calls = returns.others.reduce((sum, one) => sum + one.requests, 0);
  return {
    title: 'Worlds that come back all at once',
    reading: [
      `One instance and ${count} worlds. First they connect 200 at a time while nobody calls: to the instance, and to the`,
      'least relay, which upgrades, reads one frame and answers it. Connecting to the instance includes the token’s check in',
      'Postgres, the claim in Redis and the records. Then all of them are cut and come back at once, while others call',
      `${callsPerSecond} times a second. A turn of the event loop is the time in which nothing else ran.`,
    ].join('\n'),
    columns: ['What', 'Measured'],
    rows: [
      ['Processor time per connect, the least relay', `${showSpread(spreadOf(least.us), 0)} µs`],
      ['Processor time per connect, an instance', `${showSpread(spreadOf(relay.us), 0)} µs`],
      ['Ratio', showSpread(spreadOf(ratios), 2)],
      ['Connects per second, the least relay', showSpread(spreadOf(least.perSecond), 0)],
      ['Connects per second, an instance', showSpread(spreadOf(relay.perSecond), 0)],
      [`Until all ${count} are back`, `${showSpread(spreadOf(returns.seconds), 1)} s`],
      ['Attempts that had to be made again then', String(returns.retries)],
      ['Longest turn of the event loop then', `${showSpread(spreadOf(returns.turnMs), 0)} ms`],
      ['Calls of others then, p50', `${showSpread(spreadOf(p50s), 1)} ms`],
      ['Calls of others then, p99', `${showSpread(spreadOf(p99s), 1)} ms`],
      ['Of those, failed', failed === 0 ? '0' : `${failed} of ${calls}: ${returns.others[0]?.failure}`],
    ],
    verdicts: judge({
      ratio: spreadOf(ratios).median,
      perSecond: spreadOf(relay.perSecond).median,
      seconds: spreadOf(returns.seconds).median,
      turnMs: spreadOf(returns.turnMs).median,
      p99Ms: spreadOf(p99s).median,
    }),
  };
}

const more = 'see [performance](performance.md)';

function judge(figures: Record<'ratio' | 'perSecond' | 'seconds' | 'turnMs' | 'p99Ms', number>): Verdict[] {
  return [
    {
      what: 'Processor time per connect against the least relay',
      before: '656 µs',
      target: maxRatio,
      measured: figures.ratio,
      unit: 'x',
      whyMissed: `a token is looked up, a claim made, the connection recorded and the world announced; ${more}`,
    },
    {
      what: 'Time per connect, 200 at a time',
      target: 1_000 / leastPerSecond,
      measured: 1_000 / figures.perSecond,
      unit: ' ms',
      whyMissed: `the worlds, Postgres and Redis work on the same two processors; ${more}`,
    },
    {
      what: 'All worlds are back',
      target: maxSeconds,
      measured: figures.seconds,
      unit: ' s',
      whyMissed: `they also wait for the worlds’ own process, on the same two processors; ${more}`,
    },
    {
      what: 'Longest turn of the event loop meanwhile',
      before: '500 to 1,600 ms',
      target: maxTurnMs,
      measured: figures.turnMs,
      unit: ' ms',
      whyMissed: `by the clock, so what other processes took meanwhile is in it; ${more}`,
    },
    {
      what: 'Calls of others meanwhile, p99',
      before: '1,600 ms',
      target: maxOthersMs,
      measured: figures.p99Ms,
      unit: ' ms',
      whyMissed: `it follows the longest turns; ${more}`,
    },
  ];
}
