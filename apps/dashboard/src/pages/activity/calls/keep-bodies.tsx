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
            For people who write a program and want to see what it sends and gets back. Secrets, scripts and
            files are always left out. Switching this off deletes what was kept. The calls themselves stay in
            this list for 7 days.
          </small>
        </span>
      </label>
      <ProblemNotice problem={change.problem.value} />
    </section>
  );
}
