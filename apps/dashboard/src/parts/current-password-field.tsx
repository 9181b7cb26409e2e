import type { Signal } from '@preact/signals';
import { Field } from './field.tsx';

/** The password that the account has now. */
export function CurrentPasswordField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          autoComplete="current-password"
          required
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
