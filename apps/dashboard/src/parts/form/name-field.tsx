import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Field } from './field.tsx';

/** The name that a person gives to something of theirs. */
export function NameField({ value, hint }: { value: Signal<string>; hint?: ComponentChildren }) {
  return (
    <Field label="Name" name="name" hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          required
          maxLength={100}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
