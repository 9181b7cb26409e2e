import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Field } from './field.tsx';

/** The address by which an account is known. */
export function EmailField({ value, hint }: { value: Signal<string>; hint?: ComponentChildren }) {
  return (
    <Field label="E-mail address" name="email" hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
