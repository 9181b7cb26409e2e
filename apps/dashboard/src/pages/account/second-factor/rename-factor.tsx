import { useSignal } from '@preact/signals';
import type { SecondFactor } from '@tabletop-relay/contract';
import { announce } from '../../../parts/announcer.tsx';
import { NameField } from '../../../parts/name-field.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { api } from '../../../request.ts';
import { secondFactors } from '../../../store.ts';
import { useAction } from '../../../use-action.ts';

export function RenameFactor({ factor, done }: { factor: SecondFactor; done: () => void }) {
  const name = useSignal(factor.name);
  const { run, isBusy, problem } = useAction(async () => {
    await api.renameSecondFactor({ id: factor.id, name: name.value });
    await secondFactors.reload();
    announce('Name saved.');
    done();
  });
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <NameField value={name} />
      <ProblemNotice problem={problem.value} />
      <div class="buttons">
        <button class="primary" disabled={isBusy.value}>
          Save name
        </button>
        <button type="button" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  );
}
