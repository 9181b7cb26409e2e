import { accountProblem, readAccount } from '../store.ts';
import { useAction } from '../use-action.ts';
import { Page } from './page.tsx';
import { ProblemNotice } from './problem.tsx';

/** In place of a page, as long as it is not known who is signed in: where the relay could not say it, it is asked again. */
export function NotKnown() {
  const { run, isBusy } = useAction(readAccount);
  if (!accountProblem.value) return <main class="loading" aria-busy="true" />;
  return (
    <Page title="Your account could not be read" narrow>
      <ProblemNotice problem={accountProblem.value} />
      <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
        Ask again
      </button>
    </Page>
  );
}
