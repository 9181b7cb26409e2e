import { differences } from './differences.ts';
import type { Document } from './documents.ts';
import { actorDocument, encounterDocument, idOf, itemDocument, tokenDocument } from './documents.ts';
import type { Actor, Encounter, Scene, Token, WorldState } from './state.ts';

/** An event that a tabletop would report about a change, ready for the module's event frames. */
export type TabletopEvent =
  | { channel: 'hooks'; hook: string; args: readonly unknown[] }
  | { channel: 'combat' | 'actor' | 'scene'; eventType: string; data: Record<string, unknown> };

/** The events that a tabletop's hooks and channels report when one state follows another. */
export function eventsBetween(before: WorldState, after: WorldState): TabletopEvent[] {
  return [
    ...actorEvents(before, after),
    ...tokenEvents(before, after),
    ...selectionEvents(before, after),
    ...encounterEvents(before, after),
    ...sceneEvents(before, after),
    ...chatEvents(before, after),
  ];
}

function actorEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  if (before.actors === after.actors) return [];
  return pairs(before.actors, after.actors, ({ uuid }) => uuid).flatMap(([old, now]) =>
    old && now ? actorChange(old, now) : [],
  );
}

function actorChange(old: Actor, now: Actor): TabletopEvent[] {
  const changes = differences(actorDocument(old), actorDocument(now));
  const items = pairs(old.items, now.items, ({ id }) => id).flatMap(([oldItem, item]) => {
    if (!oldItem || !item) return [];
    const changes = differences(itemDocument(oldItem), itemDocument(item));
    return [{ item: { _id: item.id, uuid: item.uuid, name: item.name }, changes }];
  });
  const about = { _id: idOf(now.uuid), uuid: now.uuid, name: now.name, type: now.kind };
  const updated = Object.keys(changes).length > 0;
  return [
    ...items.map(({ item, changes }) => hook('updateItem', item, changes)),
    ...(updated ? [hook('updateActor', about, changes)] : []),
    ...(updated || items.length > 0
      ? [channel('actor', 'update', { actorUuid: now.uuid, name: now.name, changes, items })]
      : []),
  ];
}

function tokenEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  if (before.scenes === after.scenes) return [];
  return pairs(before.scenes, after.scenes, ({ id }) => id).flatMap(([oldScene, scene]) =>
    oldScene && scene
      ? pairs(oldScene.tokens, scene.tokens, ({ uuid }) => uuid).flatMap(([old, now]) =>
          old && now ? tokenChange(scene, old, now) : [],
        )
      : [],
  );
}

function tokenChange(scene: Scene, old: Token, now: Token): TabletopEvent[] {
  const document = tokenDocument(now, undefined);
  const changes = differences(tokenDocument(old, undefined), document);
  if (Object.keys(changes).length === 0) return [];
  return [
    hook('updateToken', document, changes),
    channel('scene', 'updateToken', { sceneId: scene.id, tokenUuid: now.uuid, name: now.name, changes }),
  ];
}

function selectionEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  if (before.selection === after.selection) return [];
  const told = (uuids: readonly string[], others: readonly string[], controlled: boolean) =>
    uuids.filter((uuid) => !others.includes(uuid)).map((uuid) => hook('controlToken', { uuid }, controlled));
  return [
    ...told(before.selection, after.selection, false),
    ...told(after.selection, before.selection, true),
  ];
}

function encounterEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  const changed =
    before.encounters === after.encounters
      ? []
      : pairs(before.encounters, after.encounters, ({ id }) => id).flatMap(([old, now]) =>
          encounterChange(old, now, now?.id === after.currentEncounterId),
        );
  return changed;
}

function encounterChange(
  old: Encounter | undefined,
  now: Encounter | undefined,
  current: boolean,
): TabletopEvent[] {
  const told = (encounter: Encounter) => encounterDocument(encounter, current);
  const combat = (eventType: string, encounter: Encounter, more: Document = {}) =>
    channel('combat', eventType, { encounterId: encounter.id, encounter: told(encounter), ...more });
  if (!now) return old ? [hook('deleteCombat', told(old)), combat('end', old)] : [];
  const position = { round: now.round, turn: now.turn };
  if (!old) {
    return [hook('createCombat', told(now)), hook('combatStart', told(now), position), combat('start', now)];
  }
  const changes = differences(told(old), told(now));
  const direction = Math.sign(now.round - old.round || now.turn - old.turn);
  const moved = [
    ...(now.round === old.round ? [] : [hook('combatRound', told(now), position, { direction })]),
    ...(now.round === old.round && now.turn !== old.turn
      ? [hook('combatTurn', told(now), position, { direction })]
      : []),
  ];
  const eventType = now.round === old.round ? (now.turn === old.turn ? 'update' : 'turn') : 'round';
  return [...moved, hook('updateCombat', told(now), changes), combat(eventType, now, { changes })];
}

function sceneEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  if (before.activeSceneId === after.activeSceneId) return [];
  const scene = after.scenes.find(({ id }) => id === after.activeSceneId);
  if (!scene) return [];
  const about = { id: scene.id, name: scene.name };
  return [
    hook('updateScene', about, { active: true }),
    hook('canvasReady', about),
    channel('scene', 'activate', { sceneId: scene.id, name: scene.name }),
  ];
}

function chatEvents(before: WorldState, after: WorldState): TabletopEvent[] {
  if (before.chat === after.chat) return [];
  const known = new Set(before.chat.map(({ id }) => id));
  return after.chat.filter(({ id }) => !known.has(id)).map((message) => hook('createChatMessage', message));
}

/** Things by key whose objects differ, in the new order and then those that are gone. */
function pairs<T>(before: readonly T[], after: readonly T[], keyOf: (thing: T) => string) {
  const old = new Map(before.map((thing) => [keyOf(thing), thing]));
  const keys = new Set([...after.map(keyOf), ...old.keys()]);
  const now = new Map(after.map((thing) => [keyOf(thing), thing]));
  return [...keys]
    .map((key) => [old.get(key), now.get(key)] as const)
    .filter(([before, after]) => before !== after);
}

function hook(name: string, ...args: unknown[]): TabletopEvent {
  return { channel: 'hooks', hook: name, args };
}

function channel(name: 'combat' | 'actor' | 'scene', eventType: string, data: Document): TabletopEvent {
  return { channel: name, eventType, data };
}
