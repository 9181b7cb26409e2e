import type { ApiKey } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { findWorld, keys, nameOf, now } from '../../store.ts';
import { callCount } from '../../words/counts.ts';
import { ScopeSentences } from './scope-sentences.tsx';

export function KeysPage() {
  useEffect(() => void keys.reload(), []);
  return (
    <Page
      title="Keys"
      actions={
        <a class="button primary" href="/dashboard/keys/new">
          Create a key
        </a>
      }
    >
      <Listed of={keys} empty={<NoKeys />}>
        {(items) => (
          <ul class="rows">
            {items.map((key) => (
              <Key apiKey={key} key={key.id} />
            ))}
          </ul>
        )}
      </Listed>
    </Page>
  );
}

function NoKeys() {
  return (
    <section class="empty">
      <h2>No keys yet</h2>
      <p>
        A program calls your worlds with a key that you make for it. It can do what you tick, in the worlds
        you choose, until you revoke it.
      </p>
      <p>Some programs ask by themselves: then you get a link to approve, and need not make a key.</p>
      <a class="button primary" href="/dashboard/keys/new">
        Create a key
      </a>
    </section>
  );
}

function Key({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, hint, expiresAt, lastUsedAt } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now.value;
  const revoke = async () => {
    await api.revokeApiKey({ id });
    await keys.reload();
    announce(`${name} is revoked.`);
  };
  return (
    <li class="row">
      <div class="grow key">
        <h2>
          <a href={`/dashboard/keys/${id}`}>{name}</a> <code class="muted">{hint}</code>{' '}
          {isExpired && <State tone="bad" word="Expired" />}
        </h2>
        <ScopeSentences scopes={apiKey.scopes} />
        <p class="muted">
          {worldsOf(apiKey)} ·{' '}
          {lastUsedAt ? (
            <>
              last used <Ago at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}{' '}
          ·{' '}
          {expiresAt ? (
            <>
              {isExpired ? 'expired' : 'expires'} <Ago at={expiresAt} />
            </>
          ) : (
            'no expiry'
          )}
        </p>
        <Usage apiKey={apiKey} />
      </div>
      <div class="buttons">
        <a class="button" href={`/dashboard/keys/${id}`} aria-label={`Edit ${name}`}>
          Edit
        </a>
        <ConfirmButton label="Revoke" title={`Revoke ${name}?`} action={revoke} quiet>
          <p>
            Programs that use it are refused within a second, and their event streams end. This can’t be
            undone: they need a new key.
          </p>
        </ConfirmButton>
      </div>
    </li>
  );
}

function worldsOf({ clientIds }: ApiKey): string {
  if (clientIds === null) return 'All worlds';
  if (clientIds.length === 0) return 'No world: those it was bound to are forgotten';
  return clientIds
    .map((id) => {
      const world = findWorld(id);
      return world ? nameOf(world) : id;
    })
    .join(', ');
}

/** This month against the limit: a bar, and the same in words. */
function Usage({ apiKey: { usedThisMonth, monthlyLimit } }: { apiKey: ApiKey }) {
  if (monthlyLimit === null) return <p class="muted">{callCount(usedThisMonth)} this month, no limit</p>;
  const share = usedThisMonth / monthlyLimit;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  return (
    <p class="usage">
      <progress
        class={tone}
        max={monthlyLimit}
        value={usedThisMonth}
        aria-label="Used of this month’s limit"
      />
      <span class={tone || 'muted'}>
        {usedThisMonth.toLocaleString('en')} of {callCount(monthlyLimit)} this month
        {share >= 1 && ': refused until the month ends, unless you raise the limit'}
      </span>
    </p>
  );
}
