import { useSignal } from '@preact/signals';
import type { SecondFactor } from '@tabletop-relay/contract';
import { announce } from '../../../parts/announcer.tsx';
import { NameField } from '../../../parts/form/name-field.tsx';
import { api } from '../../../request.ts';
import { secondFactors } from '../../../store.ts';
import { useAction } from '../../../use-action.ts';
import { Form, FormProblem } from '../../../parts/form/form.tsx';

export function RenameFactor({ factor, done }: { factor: SecondFactor; done: () => void }) {
  const name = useSignal(factor.name);
  const { run, isBusy, problem } = useAction(async () => {
    await api.renameSecondFactor({ id: factor.id, name: name.value });
    await secondFactors.reload();
    announce('Name saved.');
    done();
  });
  return (
    <Form class="edit" problem={problem.value} send={() => void run()}>
      <NameField value={name} />
      <FormProblem />
      <div class="buttons">
        <button class="primary" disabled={isBusy.value}>
          Save name
        </button>
        <button type="button" onClick={done}>
          Cancel
        </button>
      </div>
    </Form>
  );
}
