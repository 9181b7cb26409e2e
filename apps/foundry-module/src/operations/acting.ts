import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import type { Actor, Combat, FoundryDocument, Item, Scene, Token, User } from '../tabletop/documents.ts';

/** The user whose rights a call has; null: those of the game master. */
export type ActingUser = User | null;

/** Finds a user by id, else by a name that one user has. */
export function findUser(idOrName: string, code = 'user_not_found'): User {
  const { users } = tabletop.game;
  const byId = users.get(idOrName);
  if (byId) return byId;
  const named = users.filter((user) => isName(user, idOrName));
  if (named.length === 1) return named[0]!;
  const message =
    named.length > 1
      ? `Several users are named ${idOrName}: name one by its id`
      : `There is no user ${idOrName}`;
  throw new OperationRefused(message, code);
}

export const isName = ({ name }: { name: string }, wanted: string | undefined): boolean =>
  name.toLowerCase() === wanted?.toLowerCase();

/** Whether a user has everything of the world. */
export const isMaster = (user: ActingUser): boolean => user === null || user.isGM;

/** Refuses players; `what` names what only a game master may do. */
export function assertMaster(user: ActingUser, what: string): void {
  if (!isMaster(user)) {
    throw new OperationRefused(
      `${nameOf(user)} may not ${what}: it takes a game master`,
      'permission_denied',
    );
  }
}

export const nameOf = (user: ActingUser): string => user?.name ?? 'The game master';

export const owns = (user: ActingUser, document: FoundryDocument): boolean =>
  isMaster(user) || document.testUserPermission(user!, 'OWNER');

/**
 * A document by its UUID. A UUID that cannot be read is one that nothing has, and so is a setting's: settings hold what modules keep to
 * themselves, the policy by which this one lets programs act among it.
 */
export async function findByUuid(uuid: string): Promise<FoundryDocument | null> {
  try {
    const found = await tabletop.fromUuid(uuid);
    return found?.documentName === 'Setting' ? null : found;
  } catch {
    return null;
  }
}

export async function findDocument(uuid: string): Promise<FoundryDocument> {
  const found = await findByUuid(uuid);
  if (!found) throw notFound('document', uuid);
  return found;
}

/** The ways in which an operation names an actor: by UUID, else by name, else as the selected token's. */
export interface ActorReference {
  actorUuid?: string | undefined;
  actorName?: string | undefined;
  selected?: boolean | undefined;
}

/** The actor that is meant. Refuses where there is none, or the user does not own it. */
export async function findOwnActor(user: ActingUser, reference: ActorReference): Promise<Actor> {
  const actor = await findActor(user, reference);
  if (!owns(user, actor)) {
    throw new OperationRefused(`${nameOf(user)} does not own ${actor.name}`, 'permission_denied');
  }
  return actor;
}

async function findActor(
  user: ActingUser,
  { actorUuid, actorName, selected }: ActorReference,
): Promise<Actor> {
  if (actorUuid !== undefined) return actorOf(await findByUuid(actorUuid), actorUuid);
  if (actorName !== undefined) {
    const named = tabletop.game.actors.find((actor) => isName(actor, actorName));
    return actorOf(named ?? null, actorName);
  }
  if (!selected) throw new OperationRefused('Say which actor', 'invalid_parameters');
  return onlySelected(seenSelection(user).flatMap(({ actor }) => actor ?? []));
}

/** The actor itself, or that of a token. */
export function actorOf(found: FoundryDocument | null, name: string): Actor {
  const actor = found?.documentName === 'Token' ? (found as Token).actor : found;
  if (actor?.documentName !== 'Actor') throw notFound('actor', name);
  return actor as Actor;
}

/** The tokens that are selected, as far as the user may see them. Refuses where there are none. */
export function seenSelection(user: ActingUser): Token[] {
  const seen = selectedTokens().filter(({ hidden }) => !hidden || isMaster(user));
  if (seen.length === 0) throw new OperationRefused('No token is selected', 'nothing_selected');
  return seen;
}

/** The one thing that is selected, for operations that take one. */
export function onlySelected<T extends FoundryDocument>(things: readonly T[]): T {
  const all = [...new Map(things.map((thing) => [thing.uuid, thing])).values()];
  if (all.length === 1) return all[0]!;
  if (all.length === 0) throw new OperationRefused('No token with an actor is selected', 'nothing_selected');
  const names = all.map(({ name, uuid }) => `${name} (${uuid})`).join(', ');
  throw new OperationRefused(
    `This takes one, and these are selected: ${names}. Name one by its UUID`,
    'several_selected',
  );
}

/** The token of a UUID, or the first token of that actor in the scene; undefined where there is none. */
export async function findToken(uuid: string, scene = shownScene()): Promise<Token | undefined> {
  const found = await findByUuid(uuid);
  if (found?.documentName === 'Token') return found as Token;
  return scene?.tokens.find(({ actor, actorId }) => actor?.uuid === uuid || `Actor.${actorId}` === uuid);
}

/** An item on an actor, of one of the types where they are given. */
export function findItem(
  actor: Actor,
  { uuid, name }: { uuid?: string | undefined; name?: string | undefined },
  types?: readonly string[],
): Item {
  if (uuid === undefined && name === undefined) {
    throw new OperationRefused('Say which item', 'invalid_parameters');
  }
  const item = actor.items.find(
    (one) =>
      (!types || types.includes(one.type)) &&
      (uuid === undefined ? isName(one, name) : one.uuid === uuid || one.id === uuid),
  );
  if (!item) throw notFound('item', `${uuid ?? name} on ${actor.name}`);
  return item;
}

/** The scene that this browser shows, else the active one. */
export const shownScene = (): Scene | null =>
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
