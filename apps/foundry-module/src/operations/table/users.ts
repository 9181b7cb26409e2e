import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Data, FoundryDocument, User } from '../../tabletop/documents.ts';
import { assertMaster, findByUuid, findUser, notFound } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';

export const users = {
  'get-users'(_parameters, { user }) {
    assertMaster(user, 'list users');
    return { data: tabletop.game.users.map(tell) };
  },

  'get-user'(reference, { user }) {
    assertMaster(user, 'read users');
    return { data: tell(userNamed(reference)) };
  },

  async 'create-user'({ name, role = 1, password, character }, { user }) {
    assertMaster(user, 'add users');
    const data = {
      name,
      role,
      ...(password !== undefined && { password }),
      ...(character !== undefined && { character: await actorId(character) }),
    };
    const made = await tabletop.game.users.documentClass.create(data);
    if (!made) throw vetoed('The user');
    return { data: tell(made) };
  },

  async 'update-user'({ data, ...reference }, { user }) {
    assertMaster(user, 'change users');
    const changed = userNamed(reference);
    assertRole(changed, data);
    const { character } = data;
    await changed.update(
      typeof character === 'string' ? { ...data, character: await actorId(character) } : data,
    );
    return { data: tell(changed) };
  },

  async 'delete-user'(reference, { user }) {
    assertMaster(user, 'remove users');
    const removed = userNamed(reference);
    assertRemovable(removed);
    await removed.delete();
    return { success: true };
  },
} satisfies SomeHandlers;

const masterRole = 4;

/** Refuses to remove whoever sits at this browser, and the last game master. */
export function assertRemovable(user: FoundryDocument): void {
  if (user.id === tabletop.game.user?.id) {
    throw new OperationRefused(
      `${user.name} sits at the browser that would do it, and cannot be removed`,
      'not_supported',
    );
  }
  assertOtherMaster(user as User);
}

/** Refuses to make the last game master less than that, in whatever form the tabletop reads as a role. */
export function assertRole(user: FoundryDocument, changes: Data): void {
  const isLess = Object.entries(changes).some(([key, role]) =>
    key === 'role' ? !(Number(role) >= masterRole) : /^(-=|==)role$/.test(key),
  );
  if (isLess) assertOtherMaster(user as User);
}

function assertOtherMaster({ id, name, role }: User): void {
  const others = tabletop.game.users.filter((one) => one.id !== id && one.role >= masterRole);
  if (role < masterRole || others.length > 0) return;
  throw new OperationRefused(`${name} is the last game master`, 'last_game_master');
}

/** The user that a call names: by id, else by name. */
export function userNamed({ id, name }: { id?: string | undefined; name?: string | undefined }): User {
  if (id === undefined) return findUser(name ?? '', 'entity_not_found');
  const user = tabletop.game.users.get(id);
  if (!user) throw notFound('user', id);
  return user;
}

async function actorId(character: string): Promise<string> {
  const uuid = character.startsWith('Actor.') ? character : `Actor.${character}`;
  const actor = await findByUuid(uuid);
  if (actor?.documentName !== 'Actor') throw notFound('actor', character);
  return actor.id;
}

const tell = ({ id, name, role, isGM, active, color, avatar, character }: User) => ({
  id,
  name,
  role,
  isGM,
  active,
  color: color?.toString() ?? null,
  avatar,
  character: character?.id ?? null,
});
