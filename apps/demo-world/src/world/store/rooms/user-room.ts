import type { Document } from '../../document.ts';
import { Refusal } from '../../refusal.ts';
import type { User } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { countAt, textAt } from './fields.ts';
import { mergeDocument, withMore } from '../merge.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Users. One game master always stays. */
export const userRoom: DocumentRoom = {
  list: ({ users }, parent) => (parent === null ? users.map(found) : []),

  find({ users }, uuid) {
    const user = users.find(({ id }) => `User.${id}` === uuid);
    return user && found(user);
  },

  insert(tx, { uuid, id }, data) {
    const user: User = {
      id,
      name: 'User',
      role: 1,
      isGM: false,
      active: false,
      color: '#8a8a8a',
      avatar: 'avatars/user.svg',
    };
    tx.state = { ...tx.state, users: [...tx.state.users, user] };
    changeUser(tx, uuid, data);
  },

  change: changeUser,

  remove(tx, uuid) {
    putUsers(
      tx,
      tx.state.users.filter(({ id }) => `User.${id}` !== uuid),
    );
  },
};

/** Fields of a user in answers of operations. */
export function userRecord({ more: _more, ...user }: User): Omit<User, 'more'> {
  return user;
}

function changeUser(tx: Transaction, uuid: string, changes: Document): void {
  // A password is for the log-in only and is told nobody, so this world does not even keep it.
  const { password: _password, ...given } = mergeDocument({}, changes);
  const users = tx.state.users.map((user) => (`User.${user.id}` === uuid ? readUser(user, given) : user));
  const names = users.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length) throw new Refusal('already_exists', 'Another user has this name');
  putUsers(tx, users);
}

function readUser(user: User, given: Document): User {
  const role = countAt(given, 'role', user.role, { max: 4 }) as User['role'];
  return {
    ...user,
    role,
    isGM: role >= 3,
    name: textAt(given, 'name', user.name),
    color: textAt(given, 'color', user.color),
    avatar: textAt(given, 'avatar', user.avatar),
    more: mergeDocument(user.more ?? {}, given),
  };
}

function putUsers(tx: Transaction, users: readonly User[]): void {
  if (!users.some(({ role }) => role === 4))
    throw new Refusal('last_game_master', 'One game master must stay');
  tx.state = { ...tx.state, users };
}

function found(user: User): FoundDocument {
  return { kind: 'User', uuid: `User.${user.id}`, parent: null, data: userDocument(user) };
}

export function userDocument(user: User): Document {
  const { id, more, ...known } = user;
  return withMore({ _id: id, uuid: `User.${id}`, ...known }, { character: null, ...more });
}
