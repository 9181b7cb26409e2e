import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../../../parts/announcer.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { api } from '../../../request.ts';
import { useAction } from '../../../use-action.ts';

/** Whether requests and answers are kept, and the choice. */
export function KeepBodies() {
  const keeps = useSignal<boolean | undefined>(undefined);
  const read = useAction(async () => void (keeps.value = (await api.getCallLogSettings()).keepsBodies));
  const change = useAction(async (keepsBodies: boolean) => {
    await api.changeCallLogSettings({ keepsBodies });
    announce(keepsBodies ? 'Requests and answers are kept.' : 'Requests and answers are no longer kept.');
  });
  const choose = async (keepsBodies: boolean) => {
    keeps.value = keepsBodies;
    if (!(await change.run(keepsBodies))) keeps.value = !keepsBodies;
  };
  useEffect(() => void read.run(), []);
  if (keeps.value === undefined) return <ProblemNotice problem={read.problem.value} />;
  return (
    <section class="keep">
      <label class="choice">
        <input
          type="checkbox"
          checked={keeps.value}
          disabled={change.isBusy.value}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />
        <span>
          Keep requests and answers of calls for 24 hours
          <small class="muted">
            For who writes a program and wants to see what it sends. Secrets, scripts and files are always
            left out. Calls themselves are kept for 7 days. Switching it off deletes what is kept.
          </small>
        </span>
      </label>
      <ProblemNotice problem={change.problem.value} />
    </section>
  );
}
