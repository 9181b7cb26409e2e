import { operations } from '@tabletop-relay/contract';
import type { Child, Usage } from '../processes/child.ts';
import type { Section } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';
import { takeTurns } from '../turns.ts';

/** How many operations the instances of each side serve. The second of few shows what chance alone makes of a ratio. */
const few = 32;
const sides = { all: operations.length, few, 'few again': few } as const;
type SideName = keyof typeof sides;
const sideNames = Object.keys(sides) as SideName[];

/** What a fresh instance takes, in milliseconds of its processor time. */
interface Taken {
  start: number;
  first: number;
  others: number;
}

const stepTexts = {
  start: 'until it listens',
  first: 'its first call',
  others: 'the first call of each of four further operations, together',
} as const satisfies Record<keyof Taken, string>;

const actorUuid = 'Actor.mira';
const firstCall = { name: 'skill-check', body: { actorUuid, skill: 'prc' } };
const otherCalls = [
  { name: 'ability-save', body: { actorUuid, ability: 'wis' } },
  { name: 'ability-check', body: { actorUuid, ability: 'wis' } },
  { name: 'death-save', body: { actorUuid } },
  { name: 'concentration-save', body: { actorUuid, damage: 7 } },
];

/** What the number of operations adds to the start of an instance and to its first calls: fresh ones in alternating rounds. */
export async function measureFirstCall(rig: Rig, { rounds }: Scale): Promise<Section> {
  const worlds = await rig.startWorlds();
  const taken = await takeTurns(sideNames, 2 * rounds, async (name): Promise<Taken> => {
    const instance = await rig.startInstance({ BENCH_OPERATIONS: String(sides[name]) });
    const start = await cpuMs(instance);
    const [seat] = (await rig.seat(1)) as [Seat];
    await worlds.connect({ worlds: [{ ...seat, url: instance.url }], atOnce: 1 });
    const calls = await callAll(instance, seat);
    await instance.stop();
    return { start, ...calls };
  });
  await worlds.stop();
  return report(taken);
}

const cpuMs = async (instance: Child) => (await instance.ask<Usage>('usage')).cpuUs / 1_000;

async function callAll(instance: Child, seat: Seat): Promise<Omit<Taken, 'start'>> {
  const { origin, path, headers } = callTo(instance, seat);
  const call = async ({ name, body }: { name: string; body: object }) => {
    const response = await fetch(origin + path.replace(firstCall.name, name), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the first ${name} was answered ${response.status}`);
    await response.arrayBuffer();
  };
  // What any first request compiles is not what is measured.
  await fetch(`${origin}/livez`);
  const before = await cpuMs(instance);
  await call(firstCall);
  const between = await cpuMs(instance);
  for (const other of otherCalls) await call(other);
  return { first: between - before, others: (await cpuMs(instance)) - between };
}

function report(taken: Record<SideName, Taken[]>): Section {
  const spread = (name: SideName, step: keyof Taken) => spreadOf(taken[name].map((one) => one[step]));
  const ratio = (name: SideName, step: keyof Taken) => spread(name, step).median / spread('few', step).median;
  const verdict = (what: string, step: keyof Taken, target: number, whyMissed: string) => ({
    what: `${what}, ${sides.all} operations against ${few}`,
    target,
    measured: ratio('all', step),
    unit: 'x',
    whyMissed,
  });
  return {
    title: 'The start and the first call',
    reading: [
      'Processor time in ms of fresh instances that serve all operations or the first of them alone. Each of the three happens once',
      'in the life of an instance, so a round is noisy: the ratios are of the medians.',
    ].join('\n'),
    columns: ['What', `${sides.all} operations`, `${few} operations`, 'Ratio', `Ratio of two with ${few}`],
    rows: (Object.keys(stepTexts) as (keyof Taken)[]).map((step) => [
      stepTexts[step],
      showSpread(spread('all', step)),
      showSpread(spread('few', step)),
      ratio('all', step).toFixed(2),
      ratio('few again', step).toFixed(2),
    ]),
    verdicts: [
      verdict('CPU until an instance listens', 'start', 1.2, 'each route and its description are made ahead'),
      verdict('CPU of the first call', 'first', 1.1, 'something is compiled for all operations at once'),
    ],
  };
}
