import { ProblemNotice } from '../../parts/problem.tsx';
import { account, api } from '../../request.ts';
import { askToLeave } from '../../leave-guard.ts';
import { useAction } from '../../use-action.ts';

export function SignOut({ isQuiet = false }: { isQuiet?: boolean }) {
  const { run, isBusy, problem } = useAction(async () => {
    await api.logout();
    account.value = null;
  });
  return (
    <>
      <ProblemNotice problem={problem.value} />
      <button
        type="button"
        disabled={isBusy.value}
        class={isQuiet ? 'quiet' : ''}
        onClick={() => askToLeave(() => void run())}
      >
        Sign out
      </button>
    </>
  );
}
