import { useSignal } from '@preact/signals';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { isPageKey } from '../../page-keys.ts';
import { keys, usesSettleMs } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { useOverview } from '../overview/use-overview.ts';
import { KeyTable } from './key-table.tsx';

export function KeysPage() {
  const isAll = useSignal(false);
  useReload(keys, usesSettleMs);
  const overview = useOverview('day').data.value;
  return (
    <Page
      title="Keys"
      actions={
        <>
          <a class="button" href="/dashboard/assistants">
            Connect an assistant
          </a>
          <a class="button primary" href="/dashboard/keys/new">
            Create a key
          </a>
        </>
      }
    >
      <Listed of={keys} empty={<NoKeys />}>
        {(items) => {
          const own = items.filter((key) => !isPageKey(key));
          const hidden = items.length - own.length;
          return (
            <>
              {own.length === 0 && !isAll.value ? (
                <NoKeys />
              ) : (
                <KeyTable keys={isAll.value ? items : own} overview={overview} />
              )}
              {hidden > 0 && (
                <p class="muted below">
                  {hidden === 1 ? 'One key' : `${hidden} keys`} that these pages made for themselves, for an
                  hour each, {isAll.value ? 'can be hidden.' : 'are not shown.'}{' '}
                  <button type="button" class="quiet" onClick={() => (isAll.value = !isAll.value)}>
                    {isAll.value ? 'Hide' : 'Show'}
                  </button>
                </p>
              )}
            </>
          );
        }}
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
