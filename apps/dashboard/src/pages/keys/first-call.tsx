import { useSignal } from '@preact/signals';
import type { NewApiKey } from '@tabletop-relay/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { worldLabel, worlds } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { SameCall } from '../try-it/code/same-call.tsx';
import type { CodeCall } from '../try-it/code/code.ts';
import type { Language } from '../try-it/code/same-call.tsx';
import { codeOfFirst, firstCalls, likeliest } from './first-calls.ts';

/** For a key that has no world yet, or that may do nothing that needs no more to be known. */
const listWorlds: CodeCall = { method: 'GET', path: '/clients', answers: 'json', credential: 'apiKey' };

const restMs = 1_000;

/** The first call with a key, as a line to paste, with its world in it. It says when the call has come. */
export function FirstCall({ apiKey: key, language }: { apiKey: NewApiKey; language?: Language }) {
  const { id, apiKey, scopes, clientIds } = key;
  const chosen = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!worlds.data.peek()) void worlds.reload();
  }, []);
  const reached = (worlds.data.value ?? []).filter(({ clientId }) => clientIds?.includes(clientId) ?? true);
  const world = reached.find(({ clientId }) => clientId === chosen.value) ?? likeliest(reached);
  const [first] = firstCalls(scopes);
  const call = world && first ? codeOfFirst(first, world) : undefined;
  return (
    <>
      {reached.length > 1 && first && (
        <label class="first-world">
          World{' '}
          <select value={world?.clientId} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {reached.map((one) => (
              <option key={one.clientId} value={one.clientId}>
                {worldLabel(one)}
                {one.isOnline === false && ', offline'}
              </option>
            ))}
          </select>
        </label>
      )}
      <SameCall
        title="Try it"
        apiKey={apiKey}
        call={call ?? listWorlds}
        {...(language && { first: language })}
      />
      <p class="muted">
        {world?.isOnline === false && call
          ? 'That world is offline: until its tabletop opens it, the answer is 503 client_offline.'
          : `It answers 200 and, as JSON, ${call ? first?.answer : 'the worlds that are online'}.`}
      </p>
      {call && <Arrival keyId={id} />}
    </>
  );
}

/** Whether the key’s first call has come. */
function Arrival({ keyId }: { keyId: string }) {
  const last = useMemo(
    () => createResource(async () => (await api.listCalls({ key: keyId, limit: 1 })).items[0] ?? null),
    [keyId],
  );
  useReload(last, restMs);
  const call = last.data.value;
  return (
    <p role="status">
      {!call && <State tone="off" word="Waiting for its first call" />}
      {call && call.outcome === 'ok' && <State tone="good" word="Its first call was answered" />}
      {call && call.outcome !== 'ok' && (
        <>
          <State tone="warn" word="Its call was refused" />{' '}
          <a href={`/errors/${call.outcome}`} target="_blank">
            {call.outcome}
          </a>
        </>
      )}
    </p>
  );
}
