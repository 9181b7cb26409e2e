import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';

export function NewPasswordField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <Field label={label} hint="10 characters or more. A few words in a row are easy to keep in mind.">
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
