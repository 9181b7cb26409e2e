import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { PasswordForm } from '../../parts/second-factor/password-form.tsx';
import type { Proof } from '../../parts/second-factor/password-form.tsx';
import { keys } from '../../store.ts';

interface PasswordDialogProps {
  id: string;
  title: string;
  /** On the button that does it. */
  verb: string;
  /** Counts of what the change destroys, such as keys, as of now. */
  children: ComponentChildren;
  act: (proof: Proof) => Promise<void>;
  close: () => void;
}

/** Asks for the password before what cannot be undone. */
export function PasswordDialog({ id, title, verb, children, act, close }: PasswordDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    void keys.reload();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      <div class="consequence">{children}</div>
      <PasswordForm verb={verb} tone="bad strong" act={act} cancel={close} />
    </dialog>
  );
}
