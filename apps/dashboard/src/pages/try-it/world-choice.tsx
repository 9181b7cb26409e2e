import { Field } from '../../parts/form/field.tsx';
import { findWorld, worldLabel, worlds } from '../../store.ts';

export function WorldChoice({ value, onChange }: { value: string; onChange: (clientId: string) => void }) {
  const isOffline = findWorld(value)?.isOnline === false;
  return (
    <Field
      label="World"
      {...(isOffline ? { hint: 'It is offline: calls are refused until it connects.' } : {})}
    >
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {worlds.data.value?.map((world) => (
            <option value={world.clientId} key={world.clientId}>
              {worldLabel(world)}
              {world.isOnline === false ? ' (offline)' : ''}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
