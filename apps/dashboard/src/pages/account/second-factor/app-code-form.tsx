import { useSignal } from '@preact/signals';
import { Field } from '../../../parts/form/field.tsx';
import { api } from '../../../request.ts';
import { useAction } from '../../../use-action.ts';
import { finishSetUp } from './finish.ts';
import { TooLate, isTooLate } from './set-up-problem.tsx';
import { Form, FormProblem } from '../../../parts/form/form.tsx';

/** The first code of a new app shows that the app holds the key. */
export function AppCodeForm({ setup, startAgain }: { setup: string; startAgain: () => void }) {
  const code = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    await finishSetUp(await api.confirmTotp({ setup, code: code.value.replaceAll(/\s/g, '') }));
  });
  return (
    <Form problem={problem.value} send={() => void run()}>
      <Field label="Code that the app shows" name="code" hint="Six digits.">
        {(attributes) => (
          <input
            {...attributes}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="\s*\d{3}\s?\d{3}\s*"
            title="Six digits"
            required
            value={code}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        )}
      </Field>
      {isTooLate(problem.value) ? <TooLate /> : <FormProblem />}
      <div class="buttons">
        <button class="primary" disabled={isBusy.value}>
          Turn on
        </button>
        <button type="button" onClick={startAgain}>
          {isTooLate(problem.value) ? 'Start again' : 'Cancel'}
        </button>
      </div>
    </Form>
  );
}
