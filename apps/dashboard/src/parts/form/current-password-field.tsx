import type { Signal } from '@preact/signals';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';

interface CurrentPasswordProps {
  label: string;
  /** As the endpoint calls it. */
  name?: string;
  value: Signal<string>;
}

/** The password that the account has now. */
export function CurrentPasswordField({ label, name = 'password', value }: CurrentPasswordProps) {
  return (
    <Field label={label} name={name}>
      {(attributes) => (
        <PasswordInput
          {...attributes}
          autoComplete="current-password"
          required
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
