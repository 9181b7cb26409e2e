import type { Signal } from '@preact/signals';
import { passwordRule } from '@tabletop-relay/contract';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';
import { strengthOf } from './strength.ts';

interface NewPasswordProps {
  label: string;
  /** As the endpoint calls it. */
  name?: string;
  value: Signal<string>;
}

/** Without a greatest length: a browser would cut a longer password off without a word, and the relay says it. */
export function NewPasswordField({ label, name = 'password', value }: NewPasswordProps) {
  const { words, share, tone } = strengthOf(value.value);
  return (
    <Field label={label} name={name} hint={passwordRule.hint}>
      {(attributes) => (
        <>
          <PasswordInput
            {...attributes}
            autoComplete="new-password"
            required
            minLength={passwordRule.minLength}
            value={value}
            onInput={(event) => (value.value = event.currentTarget.value)}
          />
          {value.value !== '' && !attributes['aria-invalid'] && (
            <p class="strength">
              <progress class={tone} max={1} value={share} aria-label="Strength" />
              <span class={tone}>{words}</span>
            </p>
          )}
        </>
      )}
    </Field>
  );
}
