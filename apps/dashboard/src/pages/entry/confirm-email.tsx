import { useSignal } from '@preact/signals';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { account, api } from '../../request.ts';
import { readAccount } from '../../store.ts';
import { useAction } from '../../use-action.ts';

/** The page of the mailed link. It asks first, because mail programs open links on their own. */
export function ConfirmEmailPage() {
  const isDone = useSignal(false);
  const token = location.hash.slice(1);
  const { run, isBusy, problem } = useAction(async () => {
    await api.confirmEmail({ token });
    isDone.value = true;
    if (account.peek()) await readAccount();
  });
  if (isDone.value) {
    return (
      <Page title="Your address is confirmed" narrow>
        <p class="lead">You will get an e-mail when something happens to your worlds or your account.</p>
        <a class="button primary" href="/dashboard/notifications">
          Choose your notifications
        </a>
      </Page>
    );
  }
  return (
    <Page title="Confirm your address" narrow>
      {token ? (
        <>
          <p class="lead">
            Confirm only if you opened a Tabletop Relay account with this address. You will then get e-mails
            about its worlds.
          </p>
          <ProblemNotice problem={problem.value} />
          <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
            Confirm address
          </button>
        </>
      ) : (
        <p class="notice warn">This link is incomplete. Open it from the e-mail again, or copy all of it.</p>
      )}
    </Page>
  );
}
