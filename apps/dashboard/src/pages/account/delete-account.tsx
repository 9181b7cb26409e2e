import { useSignal } from '@preact/signals';
import { account, api } from '../../request.ts';
import { browsers, keys, worlds } from '../../store.ts';
import { browserCount, keyCount, worldCount } from '../../words/counts.ts';
import type { Proof } from '../../parts/second-factor/password-form.tsx';
import { PasswordDialog } from './password-dialog.tsx';

export function DeleteAccount() {
  const isAsking = useSignal(false);
  return (
    <section>
      <h2>Delete account</h2>
      <p>Its worlds, keys and records are deleted for good.</p>
      <button type="button" class="bad" onClick={() => (isAsking.value = true)}>
        Delete account
      </button>
      {isAsking.value && <Deletion close={() => (isAsking.value = false)} />}
    </section>
  );
}

function Deletion({ close }: { close: () => void }) {
  const act = async (proof: Proof) => {
    await api.deleteAccount(proof);
    account.value = null;
  };
  return (
    <PasswordDialog id="deletion" title="Delete your account?" verb="Delete account" act={act} close={close}>
      <p>{goingToo()}Your records go too. Nothing of it can be brought back.</p>
    </PasswordDialog>
  );
}

/** What programs and browsers lose with the account; empty where there is nothing. */
function goingToo(): string {
  const counts: [count: number, words: (count: number) => string][] = [
    [keys.data.value?.length ?? 0, keyCount],
    [browsers.data.value?.length ?? 0, browserCount],
    [worlds.data.value?.length ?? 0, worldCount],
  ];
  const going = counts.filter(([count]) => count > 0).map(([count, words]) => words(count));
  if (going.length === 0) return '';
  return `It takes ${new Intl.ListFormat('en').format(going)} along; programs that use them stop. `;
}
