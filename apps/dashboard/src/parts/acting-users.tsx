import { scopesBeyondUsers } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { findWorld, worldLabel } from '../store.ts';
import { useWorldUsers } from '../world-users.ts';
import { Field } from './form/field.tsx';

/** By world; null: bound to nobody. */
export type ActingUsers = Readonly<Record<string, string>> | null;

/** What may be ticked: who acts as a user holds nothing that goes beyond one. */
export const scopesFor = (users: ActingUsers, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => users === null || !scopesBeyondUsers.includes(scope));

/** The users of the worlds that are chosen; null: bound to nobody. */
export const usersIn = (
  users: ActingUsers,
  clientIds: readonly string[] | null,
): Record<string, string> | null =>
  users && Object.fromEntries((clientIds ?? []).map((clientId) => [clientId, users[clientId] ?? '']));

/** Why the form can't be sent as it is. */
export function missingUser(users: ActingUsers, clientIds: readonly string[] | null): string | undefined {
  if (users === null) return undefined;
  if (clientIds === null) return 'Choose the worlds in which it acts as a user.';
  return clientIds.some((clientId) => !users[clientId]?.trim())
    ? 'Choose who it acts as in each world.'
    : undefined;
}

interface ActingUserFieldsProps {
  clientIds: readonly string[];
  users: ActingUsers;
  onChange: (users: ActingUsers) => void;
}

/** As whom a program acts: with the rights of the game master, or as one user in each world. */
export function ActingUserFields({ clientIds, users, onChange }: ActingUserFieldsProps) {
  return (
    <fieldset>
      <legend>As whom</legend>
      <label class="choice">
        <input type="radio" checked={users === null} onChange={() => onChange(null)} /> With the game master’s
        rights
      </label>
      <label class="choice">
        <input type="radio" checked={users !== null} onChange={() => onChange({})} /> As one user of each
        world, and nobody else:
      </label>
      {users !== null && (
        <div class="indented">
          {clientIds.map((clientId) => (
            <UserField
              clientId={clientId}
              value={users[clientId] ?? ''}
              onChange={(userId) => onChange({ ...users, [clientId]: userId })}
              key={clientId}
            />
          ))}
          <p class="hint">
            It may do and see there what that user may, as far as the world’s module checks it. It holds no
            permission to run or write macros and scripts, to change users or files, or to start sessions.
          </p>
        </div>
      )}
    </fieldset>
  );
}

interface UserFieldProps {
  clientId: string;
  value: string;
  onChange: (userId: string) => void;
}

function UserField({ clientId, value, onChange }: UserFieldProps) {
  const users = useWorldUsers(clientId);
  const world = findWorld(clientId);
  const label = `In ${world ? worldLabel(world) : clientId}`;
  if (users === 'away')
    return (
      <Field
        label={label}
        hint="The world does not answer right now. Type a user’s id, or open the world first."
      >
        {(attributes) => (
          <input
            {...attributes}
            class="mono"
            placeholder="Id of a user"
            maxLength={256}
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value.trim())}
          />
        )}
      </Field>
    );
  if (users === undefined)
    return (
      <Field label={label} hint="Asking the world for its users…">
        {(attributes) => (
          <select {...attributes} disabled>
            <option>{value}</option>
          </select>
        )}
      </Field>
    );
  const isKnown = value === '' || users.some(({ id }) => id === value);
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">Choose a user</option>
          {!isKnown && <option value={value}>{value}: no user of this world</option>}
          {users.map(({ id, name, isGM }) => (
            <option value={id} key={id}>
              {isGM ? `${name}, a game master` : name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The name of a user as their world gives it; the id where it cannot be asked. */
export function UserName({ clientId, userId }: { clientId: string; userId: string }) {
  const users = useWorldUsers(clientId);
  if (!Array.isArray(users)) return <code>{userId}</code>;
  const user = users.find(({ id }) => id === userId);
  if (user) return <strong>{user.name}</strong>;
  return (
    <>
      <code>{userId}</code>, who is no user of this world any more
    </>
  );
}
