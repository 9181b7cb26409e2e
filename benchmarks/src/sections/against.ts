import { answers, measurePairs, setPairs, wayNames } from './pairs.ts';
import type { Costs, Pair } from './pairs.ts';
import type { Section, Verdict } from '../report/report.ts';
import { startRig } from '../rig.ts';
import type { Rig } from '../rig.ts';
import { quickScale } from '../scale.ts';
import type { Scale } from '../scale.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';

/** Relays on servers of their own. The second of the other checkout shows what chance alone makes of a ratio. */
const sideNames = ['this', 'other', 'other again'] as const;
type SideName = (typeof sideNames)[number];

/** A process keeps its luck with memory for life, which alone makes one 5 % slower than its twin. So each side starts anew so often. */
const starts = 9;
const roundsPerStart = 10;

/**
 * Processor time per call of this checkout and of the one in `folder`, which is installed there: whether what lies
 * between them made calls dearer. The sides take turns in every round, in an order that rotates.
 */
export async function measureAgainst(folder: string, scale: Scale): Promise<Section> {
  const costs = answers.map((): Costs<SideName> => ({ local: newSides(), across: newSides() }));
  for (let start = 0; start < (scale === quickScale ? 1 : starts); start++) {
    const measured = await measureStart(folder, inTurn(start), scale);
    for (const [index, of] of measured.entries())
      for (const way of wayNames)
        for (const name of sideNames) costs[index]?.[way][name].push(...of[way][name]);
  }
  return report(costs);
}

/** Each side is the first as often as any other. Whoever starts first has rested longest when it is measured, and that costs some per cent. */
function inTurn(start: number): SideName[] {
  const first = start % sideNames.length;
  return [...sideNames.slice(first), ...sideNames.slice(0, first)];
}

const newSides = (): Record<SideName, number[]> => ({ this: [], other: [], 'other again': [] });

/** Starts all sides, measures them by turns and ends them. */
async function measureStart(
  folder: string,
  names: readonly SideName[],
  scale: Scale,
): Promise<Costs<SideName>[]> {
  const rigs: Rig[] = [];
  try {
    const pairs = {} as Record<SideName, Pair[]>;
    for (const name of names) {
      const rig = await startRig({ checkout: name === 'this' ? undefined : folder });
      rigs.push(rig);
      pairs[name] = await setPairs(rig);
    }
    const rounds = scale === quickScale ? 1 : roundsPerStart;
    const measured: Costs<SideName>[] = [];
    for (const [index, { connections }] of answers.entries()) {
      const ofSize = Object.fromEntries(names.map((name) => [name, pairs[name][index]])) as Record<
        SideName,
        Pair
      >;
      measured.push(await measurePairs(ofSize, { rounds, connections, scale }));
    }
    return measured;
  } finally {
    for (const rig of rigs) await rig.stop();
  }
}

/** What large answers may cost more than at the commit before the second runtime was taken out. */
const mostOfLarge = 1.8;

function report(costs: readonly Costs<SideName>[]): Section {
  const rows: string[][] = [];
  const verdicts: Verdict[] = [];
  for (const [index, { bytes, connections }] of answers.entries())
    for (const way of wayNames) {
      const of = costs[index]?.[way] ?? newSides();
      const time = (name: SideName) => showSpread(spreadOf(of[name]), 1);
      const ratio = (name: SideName) => ratioOf(of[name], of.other);
      const what = `${bytes === 0 ? 'short calls' : `${bytes / 1_000} KB`}, ${way}, ${connections} connections`;
      rows.push([
        what,
        time('this'),
        time('other'),
        showSpread(ratio('this'), 3),
        showSpread(ratio('other again'), 3),
      ]);
      if (bytes > 0)
        verdicts.push({ what: `CPU of ${what}, against the other checkout`, target: mostOfLarge, measured: ratio('this').median, unit: 'x', whyMissed: 'see the ratio of the other checkout to itself' }); // prettier-ignore
    }
  return {
    title: 'Processor time per call, against another checkout',
    reading:
      'In µs. A ratio above 1 says that this checkout is slower. The other checkout runs twice: its ratio to itself is what chance makes.',
    columns: ['Calls', 'This', 'Other', 'This / other', 'Other again / other'],
    rows,
    verdicts,
  };
}
