import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface InputAttributes {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

interface FieldProps {
  label: string;
  /** What belongs in it, under the label. */
  hint?: ComponentChildren;
  /** Why its value was refused. */
  error?: string | undefined;
  children: (attributes: InputAttributes) => ComponentChildren;
}

/** A label, its input, the hint that belongs to both, and what is wrong with the input. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {error && (
        <p class="field-error" role="alert" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
