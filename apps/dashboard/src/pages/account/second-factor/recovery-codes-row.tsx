import { useSignal } from '@preact/signals';
import { State } from '../../../parts/state.tsx';
import type { Proof } from '../../../parts/second-factor/password-form.tsx';
import { api } from '../../../request.ts';
import { secondFactors } from '../../../store.ts';
import { PasswordDialog } from '../password-dialog.tsx';
import { newRecoveryCodes } from './new-recovery-codes.ts';

const few = 3;

export function RecoveryCodesRow({ left }: { left: number }) {
  const isAsking = useSignal(false);
  const close = () => (isAsking.value = false);
  const act = async (proof: Proof) => {
    newRecoveryCodes.value = (await api.makeRecoveryCodes(proof)).recoveryCodes;
    close();
    await secondFactors.reload();
  };
  return (
    <li class="row">
      <div class="grow">
        <p class="with-state">
          <strong>Recovery codes</strong>{' '}
          {left <= few && <State tone="warn" word={left === 0 ? 'None left' : 'Few left'} />}
        </p>
        <p class="muted">
          {left} {left === 1 ? 'code is' : 'codes are'} left. They let you in when your phone or passkey is
          lost.
        </p>
      </div>
      <button type="button" onClick={() => (isAsking.value = true)}>
        Make new codes
      </button>
      {isAsking.value && (
        <PasswordDialog
          id="codes"
          title="Make new recovery codes?"
          verb="Make new codes"
          act={act}
          close={close}
        >
          <p>The codes that you have now stop working at once.</p>
        </PasswordDialog>
      )}
    </li>
  );
}
