import { useEffect, useRef } from 'preact/hooks';
import { leaving } from '../leave-guard.ts';

/** Asks before a secret that is shown once is lost. */
export function LeaveQuestion() {
  return leaving.value ? <Question {...leaving.value} /> : null;
}

function Question({ what, go }: { what: string; go: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => (leaving.value = undefined);
  return (
    <dialog ref={dialog} aria-labelledby="leaving" onClose={close}>
      <h2 id="leaving">Leave without storing {what}?</h2>
      <p class="consequence">It is shown only once: nobody can look it up later, not even the relay.</p>
      <div class="buttons">
        <button
          type="button"
          class="bad strong"
          onClick={() => {
            close();
            go();
          }}
        >
          Leave
        </button>
        <button type="button" autofocus onClick={close}>
          Stay
        </button>
      </div>
    </dialog>
  );
}
