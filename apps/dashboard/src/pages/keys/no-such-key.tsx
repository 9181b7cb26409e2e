import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { keys } from '../../store.ts';

export function NoSuchKey() {
  return (
    <Page title="No such key">
      <ProblemNotice problem={keys.problem.value} />
      <p>
        You have no key by this id; it may have been revoked. See <a href="/dashboard/keys">your keys</a>.
      </p>
    </Page>
  );
}
