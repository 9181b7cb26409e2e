import { useSignal } from '@preact/signals';
import type { ApiKey, Overview } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { Spark } from '../../parts/plot/spark.tsx';
import { titleOf } from '../../parts/scope-picker.tsx';
import { State } from '../../parts/state.tsx';
import { findWorld, now, worldLabel } from '../../store.ts';
import { callCount } from '../../words/counts.ts';
import { callsByHour } from '../overview/key-shares.tsx';
import { stateOf } from './one-key/key-state.ts';
import { PauseKey } from './pause-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { ScopeSentences } from './scope-sentences.tsx';
import { orders, selectKeys } from './sort-keys.ts';
import type { Order } from './sort-keys.ts';
import { Usage } from './usage.tsx';

/** The keys as a table that can be searched and sorted; on a phone each key is a block. */
export function KeyTable({ keys, overview }: { keys: readonly ApiKey[]; overview: Overview | undefined }) {
  const search = useSignal('');
  const order = useSignal<Order>('used');
  const shown = selectKeys(keys, { search: search.value, order: order.value, wordsOf });
  return (
    <>
      <form class="filters" aria-label="Search and sort" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Search</span>
          <input
            type="search"
            value={search.value}
            placeholder="Name, permission or world"
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Sort by</span>
          <select
            value={order.value}
            onChange={(event) => (order.value = event.currentTarget.value as Order)}
          >
            {Object.entries(orders).map(([name, words]) => (
              <option value={name} key={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </form>
      {shown.length === 0 ? (
        <p class="empty">No key has all of these words.</p>
      ) : (
        <table class="keys">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">May</th>
              <th scope="col">Worlds</th>
              <th scope="col">Last used</th>
              <th scope="col">This month</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((key) => (
              <KeyRow apiKey={key} overview={overview} key={key.id} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const wordsOf = (key: ApiKey): string =>
  [
    key.name,
    key.hint,
    key.signedIn ? 'signed in' : '',
    ...key.scopes,
    ...key.scopes.map(titleOf),
    worldsOf(key),
  ].join(' ');

function KeyRow({ apiKey, overview }: { apiKey: ApiKey; overview: Overview | undefined }) {
  const { id, name, hint, signedIn, expiresAt, lastUsedAt } = apiKey;
  const state = stateOf(apiKey, now.value);
  const isOpen = useSignal(false);
  return (
    <tr class={isOpen.value ? 'is-open' : undefined}>
      <th scope="row">
        <a href={`/dashboard/keys/${id}`}>{name}</a>
        {signedIn ? <span class="muted">Signed in</span> : <code class="muted">{hint}</code>}
        {state.tone !== 'good' && <State {...state} />}
        <button
          type="button"
          class="quiet row-more"
          aria-expanded={isOpen.value}
          aria-label={`${isOpen.value ? 'Less' : 'More'} of ${name}`}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {isOpen.value ? 'Less' : 'More'}
        </button>
      </th>
      <td data-label="May">
        <ScopeSentences scopes={apiKey.scopes} />
      </td>
      <td data-label="Worlds">{worldsOf(apiKey)}</td>
      <td data-label="Last used">
        {lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never'}
        <Trend keyId={id} overview={overview} />
      </td>
      <td data-label="This month">
        <Usage apiKey={apiKey} />
      </td>
      <td data-label="Expires">{expiresAt ? <Ago at={expiresAt} /> : 'No expiry'}</td>
      <td class="actions">
        <PauseKey apiKey={apiKey} />
        <RevokeKey apiKey={apiKey} label="Revoke" quiet />
      </td>
    </tr>
  );
}

/** The calls of the last day, hour by hour. */
function Trend({ keyId, overview }: { keyId: string; overview: Overview | undefined }) {
  const figures = overview?.keys.find((one) => one.keyId === keyId);
  if (!figures) return null;
  const calls = callsByHour(figures);
  const total = calls.reduce((sum, count) => sum + count, 0);
  return <Spark values={calls} words={`${callCount(total)} in the last 24 hours`} />;
}

function worldsOf({ clientIds, actingUserIds }: Pick<ApiKey, 'clientIds' | 'actingUserIds'>): string {
  if (clientIds === null) return 'All worlds';
  if (clientIds.length === 0) return 'No world: those it was bound to are forgotten';
  return clientIds
    .map((id) => {
      const world = findWorld(id);
      const label = world ? worldLabel(world) : id;
      const userId = actingUserIds?.[id];
      return userId ? `${label} as ${userId}` : label;
    })
    .join(', ');
}
