import type { Overview } from '@tabletop-relay/contract';
import { inMs } from '../../words/times.ts';
import { callsOf, sum } from './sums.ts';
import { CallsPlot } from './world-figures.tsx';
import { spans } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';

const time = (ms: number | null) => (ms === null ? 'none yet' : inMs(ms));

/** All calls of the account in a time: in numbers, then drawn. */
export function Figures({ overview, span }: { overview: Overview; span: Span }) {
  const calls = callsOf(overview.keys, overview.hours.length);
  const [ok, refused, failed] = [sum(calls.ok), sum(calls.refused), sum(calls.failed)];
  const { world, relay } = overview.times;
  return (
    <section>
      <h2>Calls {spans[span].words}</h2>
      <dl class="numbers">
        <Figure name="Calls" value={(ok + refused + failed).toLocaleString('en')} />
        <Figure name="Refused" value={refused.toLocaleString('en')} tone={refused > 0 ? 'warn' : ''} />
        <Figure name="Failed" value={failed.toLocaleString('en')} tone={failed > 0 ? 'bad' : ''} />
        <Figure name="World, typical" value={time(world.typical)} />
        <Figure name="World, slowest 5 %" value={time(world.slow)} />
        <Figure name="Relay, typical" value={time(relay.typical)} />
      </dl>
      {ok + refused + failed > 0 && <CallsPlot hours={overview.hours} calls={calls} span={span} />}
    </section>
  );
}

function Figure({ name, value, tone = '' }: { name: string; value: string; tone?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`number ${tone}`}>{value}</dd>
    </div>
  );
}
