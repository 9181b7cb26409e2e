import { useSignal } from '@preact/signals';
import { findWorld, keys, usesSettleMs } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { Callers } from './callers.tsx';
import { ErrorList } from './error-list.tsx';
import { LastCalls } from './last-calls.tsx';
import { SpanChoice, spans } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';
import { useOverview } from './use-overview.ts';
import { CallsPlot, WorldFigures, hasCalls } from './world-figures.tsx';

/** Who calls one world, its last calls and its figures, on its page. */
export function WorldTonight({ clientId }: { clientId: string }) {
  const span = useSignal<Span>('hour');
  const overview = useOverview(span.value).data.value;
  useReload(keys, usesSettleMs);
  const world = findWorld(clientId);
  if (!overview || !world) return <div class="plot-room" aria-busy="true" />;
  return (
    <>
      <section>
        <div class="section-head">
          <h2>Who calls it</h2>
          <SpanChoice span={span.value} choose={(next) => (span.value = next)} />
        </div>
        <Callers overview={overview} clientId={clientId} span={span.value} />
      </section>
      <LastCalls clientId={clientId} />
      <section>
        <h2>Calls {spans[span.value].words}</h2>
        <WorldFigures
          world={world}
          hours={overview.hours}
          span={span.value}
          figures={overview.worlds.find((figures) => figures.clientId === clientId)}
        />
      </section>
    </>
  );
}

/** Outcomes of the calls of one key, on its page. */
export function KeyOverview({ keyId }: { keyId: string }) {
  const span = useSignal<Span>('day');
  const overview = useOverview(span.value, keyId).data.value;
  if (!overview) return <div class="plot-room" aria-busy="true" />;
  const calls = overview.keys.find((figures) => figures.keyId === keyId);
  return (
    <section>
      <div class="section-head">
        <h2>What became of its calls</h2>
        <SpanChoice span={span.value} choose={(next) => (span.value = next)} />
      </div>
      {calls && hasCalls(calls) ? (
        <CallsPlot hours={overview.hours} calls={calls} span={span.value} />
      ) : (
        <p class="muted">It was not used {spans[span.value].words}.</p>
      )}
      <ErrorList overview={overview} span={span.value} keyId={keyId} />
    </section>
  );
}
