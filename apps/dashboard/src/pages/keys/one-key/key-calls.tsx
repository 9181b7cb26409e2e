import { useMemo } from 'preact/hooks';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { api } from '../../../request.ts';
import { createResource } from '../../../resource.ts';
import { useReload } from '../../../use-reload.ts';
import { fromCall } from '../../activity/calls/call-entry.tsx';
import { EntryRow } from '../../activity/entry-row.tsx';

const shown = 5;
const restMs = 2_000;

/** The last calls of a key, as Activity has them. */
export function KeyCalls({ keyId }: { keyId: string }) {
  const last = useMemo(() => createResource(() => api.listCalls({ key: keyId, limit: shown })), [keyId]);
  useReload(last, restMs);
  const { data, problem } = last;
  const calls = data.value?.items;
  return (
    <section>
      <div class="section-head">
        <h2>Last calls</h2>
        <a href={`/dashboard/activity?show=calls&key=${keyId}`}>All its calls</a>
      </div>
      <ProblemNotice problem={problem.value} />
      {calls?.length === 0 && <p class="muted">No program has called with it in the last 7 days.</p>}
      {calls && calls.length > 0 && (
        <ul class="rows">
          {calls.map((call) => (
            <EntryRow entry={fromCall(call)} key={call.id} />
          ))}
        </ul>
      )}
    </section>
  );
}
