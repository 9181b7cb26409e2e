import { useSignal } from '@preact/signals';
import { refusalOf } from './passkeys.ts';

interface PasskeyButtonProps {
  isBusy: boolean;
  isWrong: boolean;
  /** Rejects with what the browser said where it gave no passkey. */
  send: () => Promise<void>;
}

export function PasskeyButton({ isBusy, isWrong, send }: PasskeyButtonProps) {
  const refusal = useSignal('');
  const press = async () => {
    refusal.value = '';
    try {
      await send();
    } catch (error) {
      refusal.value = refusalOf(error);
    }
  };
  const said =
    refusal.value || (isWrong ? 'The relay did not take this passkey. Try again, or take another way.' : '');
  return (
    <div class="field">
      <div>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void press()}>
          Use a passkey
        </button>
      </div>
      {said && (
        <p class="field-error" role="alert">
          {said}
        </p>
      )}
    </div>
  );
}
