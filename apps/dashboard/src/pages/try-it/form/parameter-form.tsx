import type { Signal } from '@preact/signals';
import type { Operation } from '@tabletop-relay/contract';
import { Field } from '../../../parts/form/field.tsx';
import type { CallForm } from './call-form.ts';
import type { Draft } from './form-field.ts';
import { ParameterField } from './parameter-field.tsx';

/** The form made from an operation's schema. */
export function ParameterForm({ form }: { form: Signal<CallForm> }) {
  const { operation, fields, drafts, userId } = form.value;
  const change = (name: string, draft: Draft) =>
    (form.value = { ...form.value, drafts: { ...drafts, [name]: draft } });
  return (
    <fieldset class="parameters" key={operation.name}>
      <legend>Parameters</legend>
      <Identification operation={operation} />
      {fields.map((field) => (
        <ParameterField
          key={field.name}
          field={field}
          draft={drafts[field.name] ?? ''}
          onChange={(draft) => change(field.name, draft)}
        />
      ))}
      <Field label="userId" hint="A user of the world to act as. Empty: with a GM’s access.">
        {(attributes) => (
          <input
            {...attributes}
            spellcheck={false}
            autoComplete="off"
            value={userId}
            onInput={(event) => (form.value = { ...form.value, userId: event.currentTarget.value })}
          />
        )}
      </Field>
    </fieldset>
  );
}

/** Groups of parameters that replace each other. */
function Identification({ operation }: { operation: Operation }) {
  const groups = operation.identifiedBy ?? [];
  if (groups.length === 0) return null;
  return (
    <p class="hint">
      Give{' '}
      {groups
        .map((names) => `one of ${names.map((name) => [name].flat().join(' with ')).join(', ')}`)
        .join('; and ')}
      .
    </p>
  );
}
