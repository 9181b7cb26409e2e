import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { TargetedInputEvent } from 'preact';

interface PasswordInputProps {
  id: string;
  name?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  autoComplete: 'current-password' | 'new-password';
  required?: boolean;
  minLength?: number;
  value?: Signal<string>;
  onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

/** A password as dots, or as it is written for who asks to see it. */
export function PasswordInput(props: PasswordInputProps) {
  const isShown = useSignal(false);
  const attributes = { ...props, spellcheck: false, autoCapitalize: 'off' } as const;
  return (
    <div class="password">
      {/* One element whatever its type, so that what was written stays. */}
      <input {...attributes} {...(isShown.value ? { type: 'text' } : { type: 'password' })} />
      <button type="button" class="quiet" onClick={() => (isShown.value = !isShown.value)}>
        {isShown.value ? 'Hide' : 'Show'}
        <span class="visually-hidden"> what is written</span>
      </button>
    </div>
  );
}
