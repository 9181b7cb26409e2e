import { Field } from '../../parts/form/field.tsx';
import { WorldSelect } from '../../parts/world-select.tsx';
import { findWorld } from '../../store.ts';

export function WorldChoice({ value, onChange }: { value: string; onChange: (clientId: string) => void }) {
  const isOffline = findWorld(value)?.isOnline === false;
  return (
    <Field
      label="World"
      {...(isOffline ? { hint: 'It is offline: calls are refused until it connects.' } : {})}
    >
      {(attributes) => <WorldSelect attributes={attributes} value={value} onChange={onChange} />}
    </Field>
  );
}
