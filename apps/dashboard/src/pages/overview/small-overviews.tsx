import { useSignal } from '@preact/signals';
import { findWorld } from '../../store.ts';
import { ErrorList } from './error-list.tsx';
import { SpanChoice } from './span-choice.tsx';
import { useOverview } from './use-overview.ts';
import { CallsPlot, WorldFigures, hasCalls } from './world-figures.tsx';

/** The figures of one world, on its page. */
export function WorldOverview({ clientId }: { clientId: string }) {
  const overview = useOverview(1).data.value;
  const world = findWorld(clientId);
  if (!overview || !world) return <div class="plot-room" aria-busy="true" />;
  return (
    <section>
      <div class="section-head">
        <h2>Last 24 hours</h2>
        <a href={`/dashboard/activity?show=calls&world=${clientId}`}>Its calls</a>
      </div>
      <WorldFigures
        world={world}
        hours={overview.hours}
        figures={overview.worlds.find((figures) => figures.clientId === clientId)}
      />
    </section>
  );
}

/** Outcomes of the calls of one key, on its page. */
export function KeyOverview({ keyId }: { keyId: string }) {
  const days = useSignal(1);
  const overview = useOverview(days.value, keyId).data.value;
  if (!overview) return <div class="plot-room" aria-busy="true" />;
  const calls = overview.keys.find((figures) => figures.keyId === keyId);
  return (
    <section>
      <div class="section-head">
        <h2>What became of its calls</h2>
        <SpanChoice days={days.value} choose={(next) => (days.value = next)} />
      </div>
      {calls && hasCalls(calls) ? (
        <CallsPlot hours={overview.hours} calls={calls} />
      ) : (
        <p class="muted">It was not used in this time.</p>
      )}
      <ErrorList overview={overview} keyId={keyId} />
    </section>
  );
}
