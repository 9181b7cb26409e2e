import { useSignal } from '@preact/signals';
import type { Account } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import type { Proof } from '../../parts/second-factor/password-form.tsx';
import { account, api } from '../../request.ts';
import { browsers, keys, sessions } from '../../store.ts';
import { browserCount, keyCount, sessionCount } from '../../words/counts.ts';
import { newMasterKey } from './new-master-key.tsx';
import { PasswordDialog } from './password-dialog.tsx';

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
      <p>It can do everything with your account. Regenerate it if somebody else may have seen it.</p>
      <button type="button" class="bad" onClick={() => (isAsking.value = true)}>
        Regenerate master key
      </button>
      {isAsking.value && <Rotation me={me} close={() => (isAsking.value = false)} />}
    </section>
  );
}

function Rotation({ me, close }: { me: Account; close: () => void }) {
  const act = async (proof: Proof) => {
    newMasterKey.value = (await api.regenerateMasterKey({ email: me.email, ...proof })).masterKey;
    // The session ended with the old key.
    account.value = null;
  };
  return (
    <PasswordDialog
      id="rotation"
      title="Regenerate the master key?"
      verb="Regenerate master key"
      act={act}
      close={close}
    >
      <p>
        Deletes <strong>{keyCount(keys.data.value?.length ?? 0)}</strong>, unpairs{' '}
        <strong>{browserCount(browsers.data.value?.length ?? 0)}</strong> and ends{' '}
        <strong>{sessionCount(sessions.data.value?.length ?? 0)}</strong>, this one too.
      </p>
      <p>Every program needs a new key, and every browser must pair again. This can’t be undone.</p>
    </PasswordDialog>
  );
}
