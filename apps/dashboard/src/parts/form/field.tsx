import type { ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { messageAt } from '../problem.tsx';
import { FormContext } from './form-context.ts';

interface InputAttributes {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

interface FieldProps {
  label: string;
  /** The field's name in the API: what the relay says of it then stands here. */
  name?: string;
  /** Hint under the label. */
  hint?: ComponentChildren;
  /** Why its value was refused. */
  error?: string | undefined;
  children: (attributes: InputAttributes) => ComponentChildren;
}

/** A label, its input, and what belongs in it. What is wrong with it takes the place of the hint. */
export function Field({ label, name, hint, error, children }: FieldProps) {
  const id = useId();
  const form = useContext(FormContext);
  if (name) form?.names.add(name);
  const said = name && !form?.changed.value.has(id) ? messageAt(form?.problem, name) : undefined;
  const fault = error ?? form?.faults.value[id] ?? said;
  const note = fault ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(note ? { 'aria-describedby': note } : {}),
        ...(fault ? { 'aria-invalid': true } : {}),
      })}
      {fault && (
        <p class="field-error" role="alert" id={note}>
          {fault}
        </p>
      )}
      {!fault && hint && (
        <p class="hint" id={note}>
          {hint}
        </p>
      )}
    </div>
  );
}
