import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { CommandContext } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import type { Actor, Combat, FoundryDocument, Token, User } from '../tabletop/foundry.ts';

/** The user whose rights a call has; null: those of the game master. */
export type ActingUser = User | null;

/** Finds the user by id, else by a name that one user has. */
export function actingUser({ userId }: Pick<CommandContext, 'userId'>): ActingUser {
  return userId === undefined ? null : findUser(userId);
}

export function findUser(idOrName: string): User {
  const { users } = tabletop.game;
  const byId = users.get(idOrName);
  if (byId) return byId;
  const named = users.filter(({ name }) => name.toLowerCase() === idOrName.toLowerCase());
  if (named.length === 1) return named[0]!;
  const message =
    named.length > 1
      ? `Several users are named ${idOrName}: name one by its id`
      : `There is no user ${idOrName}`;
  throw new OperationRefused(message, 'user_not_found');
}

/** Whether a user has everything of the world. */
export const isMaster = (user: ActingUser): boolean => user === null || user.isGM;

/** Refuses players; `what` names what only a game master may do. */
export function assertMaster(user: ActingUser, what: string): void {
  if (!isMaster(user)) {
    throw new OperationRefused(`${user!.name} may not ${what}: it takes a game master`, 'permission_denied');
  }
}

export const owns = (user: ActingUser, document: FoundryDocument): boolean =>
  isMaster(user) || document.testUserPermission(user!, 'OWNER');

/** A document by its UUID and kind. A UUID that cannot be read is one that nothing has. */
async function findByUuid(uuid: string): Promise<FoundryDocument | null> {
  try {
    return await tabletop.fromUuid(uuid);
  } catch {
    return null;
  }
}

/** The actor that a UUID means, also a token's own. Refuses where there is none, or the user does not own it. */
export async function findOwnActor(user: ActingUser, uuid: string): Promise<Actor> {
  const found = await findByUuid(uuid);
  const actor = found?.documentName === 'Token' ? (found as Token).actor : found;
  if (actor?.documentName !== 'Actor') throw notFound('actor', uuid);
  if (!owns(user, actor)) {
    throw new OperationRefused(`${user!.name} does not own ${actor.name}`, 'permission_denied');
  }
  return actor as Actor;
}

/** The token of a UUID, or the first token of that actor in the scene that is shown; undefined where there is none. */
export async function findToken(uuid: string): Promise<Token | undefined> {
  const found = await findByUuid(uuid);
  if (found?.documentName === 'Token') return found as Token;
  const scene = shownScene();
  return scene?.tokens.find(({ actor, actorId }) => actor?.uuid === uuid || `Actor.${actorId}` === uuid);
}

/** The scene that this browser shows, else the active one. */
export const shownScene = () =>
  (tabletop.canvas.ready ? tabletop.canvas.scene : null) ?? tabletop.game.scenes.active ?? null;

/** The tokens that are selected on the canvas. Without one, nothing is. */
export const selectedTokens = (): Token[] =>
  tabletop.canvas.ready ? (tabletop.canvas.tokens?.controlled.map(({ document }) => document) ?? []) : [];

/** The encounter of that id, or the one that is shown. */
export function findCombat(id?: string): Combat {
  const { combat, combats } = tabletop.game;
  const found = id === undefined ? (combat ?? combats.contents.at(-1)) : combats.get(id);
  if (found) return found;
  const message = id === undefined ? 'No encounter is running' : `There is no encounter ${id}`;
  throw new OperationRefused(message, 'encounter_not_found');
}

export const notFound = (kind: string, name: string) =>
  new OperationRefused(`There is no ${kind} ${name}`, 'entity_not_found');
