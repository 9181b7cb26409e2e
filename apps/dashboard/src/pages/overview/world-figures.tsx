import type { KnownClient, Overview } from '@tabletop-relay/contract';
import { Plot } from '../../parts/plot/plot.tsx';
import { inMs } from '../../words/times.ts';
import { OnlineStrip } from './online-strip.tsx';

type WorldOverview = Overview['worlds'][number];

/** Whether a program called this world in the hours that are shown. */
export const hasCalls = ({
  ok,
  refused,
  failed,
}: Pick<WorldOverview, 'ok' | 'refused' | 'failed'>): boolean =>
  [...ok, ...refused, ...failed].some((calls) => calls > 0);

const count = (calls: number) => calls.toLocaleString('en');

/** Calls by the hour and by outcome. */
export function CallsPlot({
  hours,
  calls: { ok, refused, failed },
}: {
  hours: readonly string[];
  calls: Pick<WorldOverview, 'ok' | 'refused' | 'failed'>;
}) {
  return (
    <Plot
      title="Calls an hour"
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

/** Figures of a world in the last hours: online time, calls, and where their time went. */
export function WorldFigures({
  world,
  figures,
  hours,
}: {
  world: KnownClient;
  figures: WorldOverview | undefined;
  hours: readonly string[];
}) {
  return (
    <>
      <OnlineStrip world={world} spans={figures?.online ?? []} hours={hours} />
      {figures && hasCalls(figures) ? (
        <div class="plots">
          <CallsPlot hours={hours} calls={figures} />
          <Plot
            title="Milliseconds of a call"
            kind="lines"
            hours={hours}
            print={inMs}
            series={[
              { name: 'world, half', colour: 'ink', values: figures.worldP50 },
              { name: 'world, 95 of 100', colour: 'ink', values: figures.worldP95, isDashed: true },
              { name: 'relay, half', colour: 'accent', values: figures.relayP50 },
              { name: 'relay, 95 of 100', colour: 'accent', values: figures.relayP95, isDashed: true },
            ]}
          />
        </div>
      ) : (
        <p class="muted">No program called it in this time.</p>
      )}
    </>
  );
}
