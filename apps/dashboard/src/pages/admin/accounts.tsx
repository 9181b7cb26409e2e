import { useSignal } from '@preact/signals';
import type { AdminAccount } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { AccountRow } from './account-row.tsx';

const pageSize = 50;

/** All accounts, the newest first, and a search among those that were read. */
export function Accounts() {
  const read = useSignal<AdminAccount[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const search = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    const page = await api.listAccounts({
      limit: pageSize,
      ...(cursor.peek() && { cursor: cursor.peek() ?? '' }),
    });
    read.value = [...(read.peek() ?? []), ...page.items];
    cursor.value = page.nextCursor;
  });
  useEffect(() => void run(), []);
  const put = (changed: AdminAccount) =>
    (read.value = read.peek()?.map((one) => (one.id === changed.id ? changed : one)));
  const words = search.value.trim().toLowerCase();
  const shown = read.value?.filter(({ email }) => email.toLowerCase().includes(words)) ?? [];
  return (
    <section>
      <h2>Accounts</h2>
      <form class="filters one" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Search</span>
          <input
            type="search"
            placeholder="E-mail address"
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </label>
      </form>
      <ProblemNotice problem={problem.value} />
      <ul class="rows">
        {shown.map((account) => (
          <AccountRow account={account} changed={put} key={account.id} />
        ))}
      </ul>
      {read.value && shown.length === 0 && <p class="empty">No account that was read has this address.</p>}
      {cursor.value !== null && (
        <button type="button" class="more" disabled={isBusy.value} onClick={() => void run()}>
          Read older accounts
        </button>
      )}
      <p class="hint below">
        Making an administrator, and removing a second factor that somebody lost, stay with the operator’s
        command line: <code>pnpm admin</code>.
      </p>
    </section>
  );
}
