import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Operation } from '@tabletop-relay/contract';
import type { CallForm } from './call-form.ts';
import type { Draft, FormField } from './form-field.ts';
import { tryKeys } from '../try-key.ts';
import { ParameterField } from './parameter-field.tsx';
import { pickOf, readChoices } from './picks.ts';
import type { Named, PickChoice } from './picks.ts';

/** The form made from an operation's schema. */
export function ParameterForm({ form, clientId }: { form: Signal<CallForm>; clientId: string }) {
  const { operation, fields, drafts, userId } = form.value;
  const picks = usePicks(clientId, typeof drafts['actorUuid'] === 'string' ? drafts['actorUuid'] : '');
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
          {...picks(field.kind === 'text' ? pickOf(operation, field.name) : undefined)}
          onChange={(draft) => change(field.name, draft)}
        />
      ))}
      <ParameterField
        field={userIdField}
        draft={userId}
        {...picks(pickOf(operation, userIdField.name))}
        onChange={(draft) => (form.value = { ...form.value, userId: draft as string })}
      />
    </fieldset>
  );
}

const userIdField: FormField = {
  name: 'userId',
  kind: 'text',
  isRequired: false,
  description: 'The user of the world to act as. Leave it empty to act with the GM’s access.',
  options: [],
  labels: {},
  default: undefined,
};

/** What the world has for each field, asked for when a field is gone to first. */
function usePicks(clientId: string, actorUuid: string) {
  const known = useSignal<Readonly<Record<string, readonly PickChoice[]>>>({});
  return (pick: Named | undefined) => {
    if (!pick) return {};
    const name = [clientId, pick.kind, pick.by, pick.kind === 'Item' ? actorUuid : ''].join();
    const ask = async () => {
      if (known.peek()[name]) return;
      known.value = { ...known.peek(), [name]: [] };
      const apiKey = await tryKeys.make(clientId).catch(() => undefined);
      const choices = apiKey ? await readChoices(pick, { clientId, apiKey, actorUuid }) : [];
      known.value = { ...known.peek(), [name]: choices };
    };
    return { choices: known.value[name], onAsk: () => void ask() };
  };
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
