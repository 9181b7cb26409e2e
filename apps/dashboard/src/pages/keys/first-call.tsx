import { useSignal } from '@preact/signals';
import type { KnownClient, NewApiKey, Scope } from '@tabletop-relay/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { worldLabel, worlds } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { SameCall } from '../try-it/code/same-call.tsx';

/** A call for each permission that needs nothing known of the world. The first that the key may make is shown. */
const calls: [scope: Scope, path: string, sdk: string, answer: string][] = [
  ['world:read', '/world-info', 'worldInfo', 'the world’s title, system, users and active scene'],
  ['user:read', '/players', 'players', 'the world’s users'],
  [
    'encounter:read',
    '/encounters',
    'encounters',
    'the encounters of the world; an empty list where there is none',
  ],
  [
    'entity:read',
    '/selected',
    'selected',
    'what is selected in the tabletop; an empty list where nothing is',
  ],
];

const restMs = 1_000;

/** The first call with a key, as a line to paste, with its world in it. It says when the call has come. */
export function FirstCall({ apiKey: { id, apiKey, scopes, clientIds } }: { apiKey: NewApiKey }) {
  const chosen = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!worlds.data.peek()) void worlds.reload();
  }, []);
  const reached = (worlds.data.value ?? []).filter(({ clientId }) => clientIds?.includes(clientId) ?? true);
  const world = reached.find(({ clientId }) => clientId === chosen.value) ?? likeliest(reached);
  const call = calls.find(([scope]) => scopes.includes(scope));
  const [, path, sdk, answer] =
    world && call ? call : [undefined, '/clients', undefined, 'the worlds that are online'];
  return (
    <>
      {reached.length > 1 && call && (
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
        call={{
          method: 'GET',
          path: world && sdk ? `${path}?clientId=${world.clientId}` : path,
          answers: 'json',
          credential: 'apiKey',
          sdk: world && sdk ? { method: sdk, clientId: world.clientId, parameters: {} } : undefined,
        }}
      />
      <p class="muted">
        {world?.isOnline === false && sdk
          ? 'That world is offline: until its tabletop opens it, the answer is 503 client_offline.'
          : `It answers 200 and, as JSON, ${answer}.`}
      </p>
      {sdk && <Arrival keyId={id} />}
    </>
  );
}

/** The world that is tried first: the one that came online last. */
function likeliest(reached: readonly KnownClient[]): KnownClient | undefined {
  const since = ({ connectedSince, isOnline }: KnownClient) => (isOnline && connectedSince) || '';
  return reached.toSorted((one, other) => since(other).localeCompare(since(one)))[0];
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
