import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { account, send } from '../../request.ts';
import { browsers, keys, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { browserCount, keyCount } from '../../words/counts.ts';

export function DeleteAccount() {
  const isAsking = useSignal(false);
  return (
    <section>
      <h2>Delete account</h2>
      <p>With its worlds, keys and records, at once and for good.</p>
      <button type="button" class="bad" onClick={() => (isAsking.value = true)}>
        Delete account
      </button>
      {isAsking.value && <Deletion close={() => (isAsking.value = false)} />}
    </section>
  );
}

function Deletion({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const password = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    await send('DELETE', '/auth/account', { password: password.value });
    account.value = null;
  });
  useEffect(() => {
    dialog.current?.showModal();
    void keys.reload();
  }, []);
  const worldCount = worlds.data.value?.length ?? 0;
  return (
    <dialog ref={dialog} aria-labelledby="deletion" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2 id="deletion">Delete your account?</h2>
        <div class="consequence">
          <p>
            Deletes {keyCount(keys.data.value?.length ?? 0)} and unpairs{' '}
            {browserCount(browsers.data.value?.length ?? 0)} of {worldCount}{' '}
            {worldCount === 1 ? 'world' : 'worlds'}; programs that use them stop. Your records go too. Nothing
            of it can be brought back.
          </p>
        </div>
        <Field label="Your password">
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onInput={(event) => (password.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <ProblemNotice problem={problem.value} />
        <div class="buttons">
          <button class="bad strong" disabled={isBusy.value}>
            Delete account
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
