import { Refusal } from '../refusal.ts';
import type { User } from '../state.ts';
import { changeDocument, createDocument, deleteDocument } from '../store/change-documents.ts';
import { findDocument, knownDocument } from '../store/find-documents.ts';
import { userRecord } from '../store/rooms/user-room.ts';
import type { Transaction } from '../transaction.ts';
import { assertGm } from './find.ts';
import type { OperationHandlers } from './handler.ts';

export const users: OperationHandlers<
  'get-users' | 'get-user' | 'create-user' | 'update-user' | 'delete-user'
> = {
  'get-users'(tx) {
    assertGm(tx, 'list users');
    return { data: tx.state.users.map(told) };
  },

  'get-user'(tx, reference) {
    assertGm(tx, 'read users');
    return { data: told(namedUser(tx, reference)) };
  },

  'create-user'(tx, { name, role = 1, character }) {
    assertGm(tx, 'add users');
    const data = { name, role, ...(character !== undefined && { character: actorId(tx, character) }) };
    const uuid = createDocument(tx, { kind: 'User', data });
    return { data: told(namedUser(tx, { id: uuid.slice('User.'.length) })) };
  },

  'update-user'(tx, { id, name, data }) {
    assertGm(tx, 'change users');
    const user = namedUser(tx, { id, name });
    changeDocument(tx, knownDocument(tx.state, `User.${user.id}`), data);
    return { data: told(namedUser(tx, { id: user.id })) };
  },

  'delete-user'(tx, reference) {
    assertGm(tx, 'remove users');
    const user = namedUser(tx, reference);
    if (user.id === tx.user?.id) throw new Refusal('not_supported', `${user.name} cannot remove themselves`);
    deleteDocument(tx, knownDocument(tx.state, `User.${user.id}`));
    return { success: true };
  },
};

interface UserReference {
  id?: string | undefined;
  name?: string | undefined;
}

/** A user by id, or by name whatever its case. */
function namedUser({ state }: Transaction, { id, name }: UserReference): User {
  const user = state.users.find((one) =>
    id === undefined ? one.name.toLowerCase() === name?.toLowerCase() : one.id === id,
  );
  if (!user) throw new Refusal('entity_not_found', `There is no user ${id ?? name}`);
  return user;
}

function actorId({ state }: Transaction, character: string): string {
  const uuid = character.startsWith('Actor.') ? character : `Actor.${character}`;
  if (!findDocument(state, uuid)) throw new Refusal('entity_not_found', `There is no actor ${character}`);
  return uuid.slice('Actor.'.length);
}

function told(user: User) {
  const character = user.more?.['character'];
  return { ...userRecord(user), character: typeof character === 'string' ? character : null };
}
