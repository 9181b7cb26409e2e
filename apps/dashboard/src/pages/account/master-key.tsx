import { useSignal } from '@preact/signals';
import type { Account } from '@tabletop-relay/contract';
import { useEffect, useRef } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { account, send } from '../../request.ts';
import { browsers, keys, sessions } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { browserCount, keyCount, sessionCount } from '../../words/counts.ts';
import { newMasterKey } from './new-master-key.tsx';

export function MasterKey({ me }: { me: Account }) {
  const isAsking = useSignal(false);
  return (
    <section id="rotate">
      <h2>Master key</h2>
      <p>
        <code>{me.masterKeyHint}</code>{' '}
        <span class="muted">
          {me.masterKeyLastUsedAt ? (
            <>
              last used <Ago at={me.masterKeyLastUsedAt} />
            </>
          ) : (
            'never used'
          )}
        </span>
      </p>
      <p>It may do everything with your account. Regenerate it when somebody else may have seen it.</p>
      <button type="button" class="bad" onClick={() => (isAsking.value = true)}>
        Regenerate master key
      </button>
      {isAsking.value && <Rotation me={me} close={() => (isAsking.value = false)} />}
    </section>
  );
}

function Rotation({ me, close }: { me: Account; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const password = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    const body = { email: me.email, password: password.value };
    newMasterKey.value = (await send<{ masterKey: string }>('POST', '/auth/regenerate-key', body)).masterKey;
    // The session ended with the old key.
    account.value = null;
  });
  useEffect(() => {
    dialog.current?.showModal();
    void keys.reload();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="rotation" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2 id="rotation">Regenerate the master key?</h2>
        <Destroyed />
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
            Regenerate master key
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** What ends with the old key, counted. */
function Destroyed() {
  return (
    <div class="consequence">
      <p>
        Deletes <strong>{keyCount(keys.data.value?.length ?? 0)}</strong>, unpairs{' '}
        <strong>{browserCount(browsers.data.value?.length ?? 0)}</strong> and ends{' '}
        <strong>{sessionCount(sessions.data.value?.length ?? 0)}</strong>, this one too.
      </p>
      <p>Every program needs a new key, and every browser must pair again. This can’t be undone.</p>
    </div>
  );
}
