import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';

interface PasswordDialog {
  id: string;
  title: string;
  /** On the button that does it. */
  verb: string;
  /** What it destroys, counted: of keys as they are now. */
  children: ComponentChildren;
  act: (password: string) => Promise<void>;
  close: () => void;
}

/** Asks for the password before what cannot be undone. */
export function PasswordDialog({ id, title, verb, children, act, close }: PasswordDialog) {
  const dialog = useRef<HTMLDialogElement>(null);
  const password = useSignal('');
  const { run, isBusy, problem } = useAction(() => act(password.value));
  useEffect(() => {
    dialog.current?.showModal();
    void keys.reload();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2 id={id}>{title}</h2>
        <div class="consequence">{children}</div>
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
            {verb}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
