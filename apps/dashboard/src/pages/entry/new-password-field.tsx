import type { Signal } from '@preact/signals';
import { passwordRule } from '@tabletop-relay/contract';
import { Field } from '../../parts/field.tsx';

/** Without a greatest length: a browser would cut a longer password off without a word, and the relay says it. */
export function NewPasswordField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <Field label={label} hint={passwordRule.hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          autoComplete="new-password"
          required
          minLength={passwordRule.minLength}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
