import { ProblemNotice } from '../../parts/problem.tsx';
import { account, api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

export function SignOut() {
  const { run, isBusy, problem } = useAction(async () => {
    await api.logout();
    account.value = null;
  });
  return (
    <>
      <ProblemNotice problem={problem.value} />
      <button type="button" disabled={isBusy.value} onClick={() => void run()}>
        Sign out
      </button>
    </>
  );
}
