import { connections, measurePairs, setPair, wayNames } from '../pairs.ts';
import type { Pair, WayName } from '../pairs.ts';
import type { Section } from '../report/report.ts';
import { ratioOf, showSpread, spreadOf } from '../report/statistics.ts';
import type { Rig } from '../rig.ts';
import { quickScale } from '../scale.ts';
import type { Scale } from '../scale.ts';

/** The part of all calls that is traced. The second without shows what chance alone makes of a ratio. */
const sides = { off: undefined, 'off again': undefined, 'one in 100': 0.01, all: 1 } as const;
type SideName = keyof typeof sides;
const sideNames = Object.keys(sides) as SideName[];

/** What a call may cost with the part that is traced unless an operator sets another. */
const target = 1.05;

/** What traces add to a call's processor time, in alternating rounds on pairs of instances. */
export async function measureTracing(rig: Rig, scale: Scale): Promise<Section> {
  const collector = await rig.startServer('./collector.ts');
  const pairs = {} as Record<SideName, Pair>;
  for (const name of sideNames) pairs[name] = await setPair(rig, settingsOf(collector.url, sides[name]));
  const costs = await measurePairs(pairs, scale === quickScale ? 1 : 24, scale);
  const ratio = (way: WayName, name: SideName) => ratioOf(costs[way][name], costs[way].off);
  return {
    title: `Traces, at ${connections} connections`,
    reading: [
      'Processor time per call in µs, without a collector, and its ratio where one is set and one call in 100 or each is traced.',
      'Without a collector no function of traces runs, so two without differ by chance alone. With each call traced most spans are',
      'dropped at the bound of those that wait. Across counts both instances; the collector’s own time is in none.',
    ].join('\n'),
    columns: ['Way', 'Off', 'Ratio of two off', 'One in 100', 'Each'],
    rows: wayNames.map((way) => [
      way,
      showSpread(spreadOf(costs[way].off), 1),
      ...(['off again', 'one in 100', 'all'] as const).map((name) => showSpread(ratio(way, name), 3)),
    ]),
    verdicts: wayNames.map((way) => ({
      what: `CPU per call with one in 100 traced, ${way}`,
      target,
      measured: ratio(way, 'one in 100').median,
      unit: 'x',
      whyMissed: 'a call that is traced pays for its spans and for their JSON',
    })),
  };
}

const settingsOf = (collector: string, part: number | undefined): Record<string, string> =>
  part === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: String(part) };
