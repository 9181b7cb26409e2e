import { connections, measurePairs, setPair, wayNames } from '../pairs.ts';
import type { Costs, Pair, WayName } from '../pairs.ts';
import type { Section } from '../report/report.ts';
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
  const costs: Costs<SideName> = { local: newSides(), across: newSides() };
  for (let start = 0; start < (scale === quickScale ? 1 : starts); start++) {
    const measured = await measureStart(folder, inTurn(start), scale);
    for (const way of wayNames) for (const name of sideNames) costs[way][name].push(...measured[way][name]);
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
): Promise<Costs<SideName>> {
  const rigs: Rig[] = [];
  try {
    const pairs = {} as Record<SideName, Pair>;
    for (const name of names) {
      const rig = await startRig({ checkout: name === 'this' ? undefined : folder });
      rigs.push(rig);
      pairs[name] = await setPair(rig);
    }
    return await measurePairs(pairs, scale === quickScale ? 1 : roundsPerStart, scale);
  } finally {
    for (const rig of rigs) await rig.stop();
  }
}

function report(costs: Costs<SideName>): Section {
  const ratio = (way: WayName, name: SideName) => showSpread(ratioOf(costs[way][name], costs[way].other), 3);
  const time = (way: WayName, name: SideName) => showSpread(spreadOf(costs[way][name]), 1);
  return {
    title: `Processor time per call at ${connections} connections, against another checkout`,
    reading:
      'In µs. A ratio above 1 says that this checkout is slower. The other checkout runs twice: its ratio to itself is what chance makes.',
    columns: ['Way', 'This', 'Other', 'This / other', 'Other again / other'],
    rows: wayNames.map((way) => [
      way,
      time(way, 'this'),
      time(way, 'other'),
      ratio(way, 'this'),
      ratio(way, 'other again'),
    ]),
    verdicts: [],
  };
}
