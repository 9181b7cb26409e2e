import type { KnownClient, Overview } from '@tabletop-relay/contract';
import { Plot } from '../../parts/plot/plot.tsx';
import { inMs } from '../../words/times.ts';
import { OnlineStrip } from './online-strip.tsx';
import { spans } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';

type WorldOverview = Overview['worlds'][number];

/** Whether a program called this world in the hours that are shown. */
export const hasCalls = ({
  ok,
  refused,
  failed,
}: Pick<WorldOverview, 'ok' | 'refused' | 'failed'>): boolean =>
  [...ok, ...refused, ...failed].some((calls) => calls > 0);

const count = (calls: number) => calls.toLocaleString('en');

/** Calls by the hour, or minute, and by outcome. */
export function CallsPlot({
  hours,
  calls: { ok, refused, failed },
  span,
}: {
  hours: readonly string[];
  span: Span;
  calls: Pick<WorldOverview, 'ok' | 'refused' | 'failed'>;
}) {
  return (
    <Plot
      title={`Calls each ${spans[span].bar}`}
      kind="bars"
      hours={hours}
      print={count}
      series={[
        { name: 'done', colour: 'accent', values: ok },
        { name: 'refused', colour: 'warn', values: refused },
        { name: 'failed', colour: 'bad', values: failed },
      ]}
    />
  );
}

/** Figures of a world in a time: online time, calls, and where their time went. */
export function WorldFigures({
  world,
  figures,
  hours,
  span,
}: {
  world: KnownClient;
  figures: WorldOverview | undefined;
  span: Span;
  hours: readonly string[];
}) {
  return (
    <>
      <OnlineStrip world={world} spans={figures?.online ?? []} hours={hours} />
      {figures && hasCalls(figures) ? (
        <div class="plots">
          <CallsPlot hours={hours} calls={figures} span={span} />
          <Plot
            title="How long a call takes"
            kind="lines"
            hours={hours}
            print={inMs}
            series={[
              { name: 'world, typical', colour: 'ink', values: figures.worldP50 },
              { name: 'world, slowest 5 %', colour: 'ink', values: figures.worldP95, isDashed: true },
              { name: 'relay, typical', colour: 'accent', values: figures.relayP50 },
              { name: 'relay, slowest 5 %', colour: 'accent', values: figures.relayP95, isDashed: true },
            ]}
          />
        </div>
      ) : (
        <p class="muted">No program called it {spans[span].words}.</p>
      )}
    </>
  );
}
