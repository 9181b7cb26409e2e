import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { focusTitle } from '../../../parts/page.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { createPasskey, refusalOf } from '../../../parts/second-factor/passkeys.ts';
import { api } from '../../../request.ts';
import { useAction } from '../../../use-action.ts';
import { finishSetUp } from './finish.ts';
import { TooLate, isTooLate } from './set-up-problem.tsx';

interface CreatePasskeyProps {
  setUp: { setup: string; options: object };
  name: string;
  startAgain: () => void;
}

/** The browser's own question, and the way back to it when it was closed. */
export function CreatePasskey({ setUp: { setup, options }, name, startAgain }: CreatePasskeyProps) {
  const refusal = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    refusal.value = '';
    const credential = await createPasskey(options).catch((error: unknown) => {
      refusal.value = refusalOf(error);
    });
    if (credential) await finishSetUp(await api.confirmPasskey({ setup, name, credential }));
  });
  useEffect(() => {
    // The form that had the focus is gone.
    focusTitle();
    void run();
  }, []);
  return (
    <div class="sheet">
      <p role="status">
        {isBusy.value
          ? 'Your browser now asks where to keep the passkey.'
          : `The passkey “${name}” is not set up yet.`}
      </p>
      <div role="alert">{refusal.value && <p class="notice bad">{refusal.value}</p>}</div>
      {isTooLate(problem.value) ? <TooLate /> : <ProblemNotice problem={problem.value} />}
      <div class="buttons">
        {!isTooLate(problem.value) && (
          <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
            Ask again
          </button>
        )}
        <button type="button" onClick={startAgain}>
          {isTooLate(problem.value) ? 'Start again' : 'Cancel'}
        </button>
      </div>
    </div>
  );
}
