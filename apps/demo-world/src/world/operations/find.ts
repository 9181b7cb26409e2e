import { Refusal } from '../refusal.ts';
import type { Actor, Combatant, Encounter, Item, ItemType, Token, User, WorldState } from '../state.ts';
import type { Transaction } from '../transaction.ts';

/** The ways in which an operation names an actor: by UUID, else by name. */
interface NamedActor {
  actorUuid?: string | undefined;
  actorName?: string | undefined;
}

/** An actor that is named, or else the selected token's. */
export interface ActorReference extends NamedActor {
  selected?: boolean | undefined;
}

/** A user by id, or by name whatever its case. */
export function findUser(state: WorldState, idOrName: string): User {
  const user =
    state.users.find(({ id }) => id === idOrName) ?? state.users.find(({ name }) => isName(name, idOrName));
  if (!user) throw new Refusal('user_not_found', `There is no user ${idOrName} in this world`);
  return user;
}

/** Finds the actor that the parameters mean. Refuses where there is none or the acting user does not own it. */
export function findOwnActor(tx: Transaction, reference: ActorReference): Actor {
  const { actorUuid, actorName, selected } = reference;
  const isNamed = actorUuid !== undefined || actorName !== undefined;
  const actor = selected && !isNamed ? selectedActor(tx) : findActor(tx.state, reference);
  if (!owns(tx.user, actor)) {
    throw new Refusal('permission_denied', `${tx.user?.name} does not own ${actor.name}`);
  }
  return actor;
}

/** Whether a user may act for an actor: game masters for all, players for their own. */
export function owns(user: User | null, actor: Actor): boolean {
  return user === null || user.isGM || actor.owners.includes(user.id);
}

/** Whether the acting user may know who a combatant is. */
export const isSeen = ({ user }: Transaction, { hidden }: Combatant): boolean =>
  !hidden || user === null || user.isGM;

/** Refuses players; `action` names what only a game master may do. */
export function assertGm(tx: Transaction, action: string): void {
  if (tx.user && !tx.user.isGM) {
    throw new Refusal('permission_denied', `${tx.user.name} may not ${action}: it takes a game master`);
  }
}

export function findActor(state: WorldState, { actorUuid, actorName }: NamedActor): Actor {
  if (actorUuid !== undefined) return known(actorByUuid(state, actorUuid), 'actor', actorUuid);
  if (actorName !== undefined) {
    return known(
      state.actors.find(({ name }) => isName(name, actorName)),
      'actor',
      actorName,
    );
  }
  throw new Refusal('invalid_parameters', 'Say which actor');
}

/** The tokens that are selected, as far as the acting user may see them. Refuses where there are none. */
export function selectedTokens({ state, user }: Transaction): Token[] {
  const tokens = state.selection.map((uuid) => findToken(state, uuid));
  const seen = tokens.filter(({ hidden }) => !hidden || user === null || user.isGM);
  if (seen.length === 0) throw new Refusal('nothing_selected', 'No token is selected');
  return seen;
}

/** The one thing that is selected, for operations that take one. Refuses several with their names. */
export function onlySelected<T extends { name: string; uuid: string }>(things: readonly T[]): T {
  const all = [...new Map(things.map((thing) => [thing.uuid, thing])).values()];
  if (all.length === 1) return all[0]!;
  const names = all.map(({ name, uuid }) => `${name} (${uuid})`).join(', ');
  throw new Refusal(
    'several_selected',
    `This takes one, and these are selected: ${names}. Name one by its UUID`,
  );
}

function selectedActor(tx: Transaction): Actor {
  return onlySelected(selectedTokens(tx).map((token) => actorOf(tx.state, token)));
}

/** An actor or token by UUID or name, the tokens of the active scene first; null where nothing is named. */
export function findTarget(
  state: WorldState,
  { targetUuid, targetName }: { targetUuid?: string | undefined; targetName?: string | undefined },
): Actor | null {
  if (targetUuid !== undefined) {
    const token = allTokens(state).find(({ uuid }) => uuid === targetUuid);
    return findActor(state, { actorUuid: token?.actorUuid ?? targetUuid });
  }
  if (targetName === undefined) return null;
  const token = tokensOnCanvas(state).find(({ name }) => isName(name, targetName));
  return findActor(state, token ? { actorUuid: token.actorUuid } : { actorName: targetName });
}

/** An item on an actor, of one of the types where they are given. */
export function findItem(
  actor: Actor,
  { uuid, name }: { uuid?: string | undefined; name?: string | undefined },
  types?: readonly ItemType[],
): Item {
  if (uuid === undefined && name === undefined) throw new Refusal('invalid_parameters', 'Say which item');
  const item = actor.items.find(
    (item) =>
      (!types || types.includes(item.type)) &&
      (uuid === undefined ? isName(item.name, name as string) : item.uuid === uuid),
  );
  return known(item, types?.length === 1 ? 'such thing' : 'item', `${uuid ?? name} on ${actor.name}`);
}

export function findToken(state: WorldState, tokenUuid: string): Token {
  return known(
    allTokens(state).find(({ uuid }) => uuid === tokenUuid),
    'token',
    tokenUuid,
  );
}

/** A token by its UUID, or the first on a scene of the actor with this UUID: programs often know the actor alone. */
export function findTokenOf(state: WorldState, uuid: string, sceneId = state.activeSceneId): Token {
  const scene = state.scenes.find(({ id }) => id === sceneId);
  return scene?.tokens.find(({ actorUuid }) => actorUuid === uuid) ?? findToken(state, uuid);
}

/** The tokens of the active scene. */
export function tokensOnCanvas(state: WorldState): readonly Token[] {
  return state.scenes.find(({ id }) => id === state.activeSceneId)?.tokens ?? [];
}

export function actorOf(state: WorldState, token: Token): Actor {
  return findActor(state, { actorUuid: token.actorUuid });
}

/** The encounter by id, or the current one. */
export function findEncounter(state: WorldState, id: string | null = state.currentEncounterId): Encounter {
  const encounter = state.encounters.find((one) => one.id === id);
  if (encounter) return encounter;
  throw new Refusal(
    'encounter_not_found',
    id === null ? 'No encounter is running' : `There is no encounter ${id}`,
  );
}

function allTokens(state: WorldState): Token[] {
  return state.scenes.flatMap(({ tokens }) => tokens);
}

function actorByUuid(state: WorldState, actorUuid: string): Actor | undefined {
  return state.actors.find(({ uuid }) => uuid === actorUuid);
}

function isName(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}

function known<T>(thing: T | undefined, kind: string, reference: string): T {
  if (thing === undefined) throw new Refusal('entity_not_found', `There is no ${kind} ${reference}`);
  return thing;
}
