import { worldLabel, worlds } from '../store.ts';

interface WorldSelectProps {
  /** Of the field that it stands in. */
  attributes: object;
  value: string | undefined;
  onChange: (clientId: string) => void;
}

/** One of the account's worlds. */
export const WorldSelect = ({ attributes, value, onChange }: WorldSelectProps) => (
  <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {worlds.data.value?.map((world) => (
      <option value={world.clientId} key={world.clientId}>
        {worldLabel(world)}
        {world.isOnline === false ? ' (offline)' : ''}
      </option>
    ))}
  </select>
);
