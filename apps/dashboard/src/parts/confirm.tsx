import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../use-action.ts';
import { focusTitle } from './page.tsx';
import { ProblemNotice } from './problem.tsx';

interface ConfirmProps {
  /** The verb, on the button and in the question. */
  label: string;
  title: string;
  /** Consequences, and whether they can be undone. */
  children: ComponentChildren;
  action: () => Promise<void>;
  quiet?: boolean;
  /** Whether the question is asked as soon as the button is there. */
  isAsked?: boolean;
}

/** A button for what can't be undone: it names the consequence and asks once. */
export function ConfirmButton({
  label,
  title,
  children,
  action,
  quiet = false,
  isAsked = false,
}: ConfirmProps) {
  const isOpen = useSignal(isAsked);
  return (
    <>
      <button
        type="button"
        class={quiet ? 'quiet bad' : 'bad'}
        aria-label={quiet ? title.replace(/\?$/, '') : undefined}
        onClick={() => (isOpen.value = true)}
      >
        {label}
      </button>
      {isOpen.value && (
        <Question label={label} title={title} action={action} close={() => (isOpen.value = false)}>
          {children}
        </Question>
      )}
    </>
  );
}

type QuestionProps = Pick<ConfirmProps, 'label' | 'title' | 'children' | 'action'> & { close: () => void };

/** The question itself, where something else than a button of its own asks it. */
export function Question({ label, title, children, action, close }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { run, isBusy, problem } = useAction(action);
  useEffect(() => {
    dialog.current?.showModal();
    // What asked may be gone with what it ended: then the focus goes on from the title.
    return () => requestAnimationFrame(() => document.activeElement === document.body && focusTitle());
  }, []);
  const confirm = async () => {
    if (await run()) close();
  };
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={close}>
      <h2 id="question">{title}</h2>
      <div class="consequence">{children}</div>
      <ProblemNotice problem={problem.value} />
      <div class="buttons">
        <button type="button" class="bad strong" disabled={isBusy.value} onClick={() => void confirm()}>
          {label}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
