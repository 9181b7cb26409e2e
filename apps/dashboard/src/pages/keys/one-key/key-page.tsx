import { useSignal } from '@preact/signals';
import type { ApiKey, NewApiKey } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { UserName } from '../../../parts/acting-users.tsx';
import { Ago } from '../../../parts/ago.tsx';
import { announce } from '../../../parts/announcer.tsx';
import { Id } from '../../../parts/copy.tsx';
import { NotRead } from '../../../parts/not-read.tsx';
import { Page } from '../../../parts/page.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { api } from '../../../request.ts';
import { navigate, place } from '../../../router.ts';
import { findWorld, keys, now, usesSettleMs, worldLabel } from '../../../store.ts';
import { useAction } from '../../../use-action.ts';
import { useReload } from '../../../use-reload.ts';
import { LastCalls } from '../../overview/last-calls.tsx';
import { KeyOverview } from '../../overview/small-overviews.tsx';
import { KeyCallers } from './key-callers.tsx';
import { NoSuchKey } from '../no-such-key.tsx';
import { PauseKey, PausedKey } from '../pause-key.tsx';
import { RevokeKey } from '../revoke-key.tsx';
import { RolledKey, RollKey } from './roll-key.tsx';
import { ScopeSentences } from '../scope-sentences.tsx';
import { stateOf } from './key-state.ts';
import { Usage } from '../usage.tsx';

/** All that there is of one key: its state, what it calls, from where, and what can be done about it. */
export function KeyPage({ id }: { id: string }) {
  const rolled = useSignal<NewApiKey | undefined>(undefined);
  useReload(keys, usesSettleMs);
  const key = keys.data.value?.find((one) => one.id === id);
  if (rolled.value) return <RolledKey rolled={rolled.value} onStored={() => (rolled.value = undefined)} />;
  if (key) return <OneKey apiKey={key} onRolled={(next) => (rolled.value = next)} />;
  if (!keys.data.value) return <NotRead title="Key" problem={keys.problem.value} />;
  return <NoSuchKey />;
}

function OneKey({ apiKey, onRolled }: { apiKey: ApiKey; onRolled: (rolled: NewApiKey) => void }) {
  const { id, name } = apiKey;
  const asked = useAskedFor();
  const isAsked = (what: string) => asked?.what === what;
  return (
    <Page
      title={name}
      actions={
        <>
          <PauseKey apiKey={apiKey} isAsked={isAsked('pause')} key={`pause ${asked?.count}`} />
          <a class="button" href={`/dashboard/keys/${id}/edit`}>
            Edit
          </a>
          {!apiKey.signedIn && (
            <RollKey
              apiKey={apiKey}
              isAsked={isAsked('roll')}
              onRolled={onRolled}
              key={`roll ${asked?.count}`}
            />
          )}
          <RevokeKey
            apiKey={apiKey}
            label="Revoke"
            isAsked={isAsked('revoke')}
            onRevoked={() => navigate('/dashboard/keys')}
            key={`revoke ${asked?.count}`}
          />
        </>
      }
    >
      <ProblemNotice problem={keys.problem.value} />
      {apiKey.pause && <PausedKey pause={apiKey.pause} />}
      <OldValue apiKey={apiKey} />
      <KeyFacts apiKey={apiKey} />
      <KeyOverview keyId={id} />
      <LastCalls keyId={id} />
      <KeyCallers keyId={id} />
    </Page>
  );
}

/** Action in the address, such as `?do=roll`. It opens its question once and is then removed from the address. */
function useAskedFor() {
  const asked = useSignal<{ what: string; count: number } | undefined>(undefined);
  const { path, search } = place.value;
  useEffect(() => {
    const what = new URLSearchParams(search).get('do');
    if (!what) return;
    asked.value = { what, count: (asked.peek()?.count ?? 0) + 1 };
    navigate(path, { replace: true });
  }, [search]);
  return asked.value;
}

function OldValue({ apiKey: { id, oldValue } }: { apiKey: ApiKey }) {
  const { run, isBusy, problem } = useAction(async () => {
    await api.endOldApiKeyValue({ id });
    await keys.reload();
    announce('The old value has ended.');
  });
  if (!oldValue || Date.parse(oldValue.endsAt) <= now.value) return null;
  return (
    <div class="notice warn held">
      <p>
        <strong>
          Its old value <code>{oldValue.hint}</code> still works, and ends <Ago at={oldValue.endsAt} />.
        </strong>{' '}
        {oldValue.lastUsedAt ? (
          <>
            A program called with it <Ago at={oldValue.lastUsedAt} />.
          </>
        ) : (
          'No program has called with it since.'
        )}
      </p>
      <div>
        <button type="button" disabled={isBusy.value} onClick={() => void run()}>
          End it now
        </button>
        <ProblemNotice problem={problem.value} />
      </div>
    </div>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { id, hint, signedIn, scopes, expiresAt, lastUsedAt, createdAt } = apiKey;
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <State {...stateOf(apiKey, now.value)} />
      </dd>
      <dt>Last used</dt>
      <dd>{lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never'}</dd>
      <dt>This month</dt>
      <dd>
        <Usage apiKey={apiKey} />
      </dd>
      <dt>It may</dt>
      <dd>
        <ScopeSentences scopes={scopes} />
      </dd>
      <dt>Worlds</dt>
      <dd>
        <Worlds apiKey={apiKey} />
      </dd>
      <dt>Expires</dt>
      <dd>{expiresAt ? <Ago at={expiresAt} /> : 'Never'}</dd>
      <dt>Made</dt>
      <dd>
        <Ago at={createdAt} />, {signedIn ? `signed in from ${signedIn.host}` : <code>{hint}</code>}
      </dd>
      <dt>Id</dt>
      <dd>
        <Id value={id} what="key id" />
      </dd>
    </dl>
  );
}

function Worlds({ apiKey: { clientIds, actingUserIds } }: { apiKey: ApiKey }) {
  if (clientIds === null) return <>All worlds</>;
  if (clientIds.length === 0) return <>No world: those it was bound to are forgotten</>;
  return (
    <ul>
      {clientIds.map((clientId) => {
        const world = findWorld(clientId);
        const userId = actingUserIds?.[clientId];
        return (
          <li key={clientId}>
            {world ? <a href={`/dashboard/worlds/${clientId}`}>{worldLabel(world)}</a> : clientId}
            {userId && (
              <>
                , acts as <UserName clientId={clientId} userId={userId} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
