import type { CallRecord } from '@tabletop-relay/contract';
import { useMemo } from 'preact/hooks';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { findKey } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { fromCall } from '../activity/calls/call-entry.tsx';
import { EntryRow } from '../activity/entry-row.tsx';
import { PauseKey } from '../keys/pause-key.tsx';

const shownCalls = 5;
const restMs = 1_000;

/** The last calls of the account, of one world or of one key as sentences, as they come. Beside each is what stops its program. */
export function LastCalls({ clientId, keyId }: { clientId?: string; keyId?: string }) {
  const calls = useMemo(
    () =>
      createResource(
        async () => (await api.listCalls({ limit: shownCalls, client: clientId, key: keyId })).items,
      ),
    [clientId, keyId],
  );
  useReload(calls, restMs);
  const items = calls.data.value;
  return (
    <section>
      <div class="section-head">
        <h2>Last calls</h2>
        <a
          href={`/dashboard/activity?show=calls${clientId ? `&world=${clientId}` : ''}${keyId ? `&key=${keyId}` : ''}`}
        >
          All calls
        </a>
      </div>
      <ProblemNotice problem={calls.problem.value} />
      {items?.length === 0 && <p class="muted">No program has called in the last 7 days.</p>}
      {items ? (
        <ul class="rows">
          {items.map((call) => (
            <EntryRow entry={fromCall(call)} key={call.id}>
              {keyId === undefined && <PauseCaller call={call} />}
            </EntryRow>
          ))}
        </ul>
      ) : (
        <div class="last-calls-room" aria-busy="true" />
      )}
    </section>
  );
}

function PauseCaller({ call: { keyId } }: { call: CallRecord }) {
  const key = findKey(keyId);
  return key ? <PauseKey apiKey={key} /> : null;
}
