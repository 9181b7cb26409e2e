import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  /** What belongs in it, under the label. */
  hint?: ComponentChildren;
  children: (attributes: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}

/** A label, its input, and the hint that belongs to both. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(hint ? { id, 'aria-describedby': `${id}-hint` } : { id })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
