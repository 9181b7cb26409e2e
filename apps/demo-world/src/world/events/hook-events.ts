import type { EventData } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { actorDocument, encounterDocument, itemDocument, tokenDocument } from '../documents.ts';
import type { Actor, Encounter, Item, WorldState } from '../state.ts';
import { changedActors, changedEffects, changedItems } from './actor-events.ts';
import type { Change } from './changes.ts';
import { changedThings, changesBetween } from './changes.ts';
import { changedMessages, messageDocument } from './chat-events.ts';
import { changedCombatants, changedEncounters } from './combat-events.ts';
import { changedDocuments } from './document-events.ts';
import { userDocument } from '../store/rooms/user-room.ts';
import { activatedScene, changedScenes, changedTokens } from './scene-events.ts';

type HookEvent = EventData<'hooks'>;

/** The hooks that a tabletop fires for a step, with the documents that it gives them. */
export function hookEvents(before: WorldState, after: WorldState): HookEvent[] {
  return [
    ...changedActors(before, after).flatMap(actorHooks),
    ...changedTokens(before, after).flatMap(({ scene: _scene, ...change }) =>
      documentHooks('Token', change, (token) => tokenDocument(token, undefined)),
    ),
    ...selectionHooks(before, after),
    ...changedEncounters(before, after).flatMap(encounterHooks),
    ...changedScenes(before, after).flatMap((change) => documentHooks('Scene', change, (scene) => scene)),
    ...activatedScene(before, after).map(({ id, name }) => hook('canvasReady', { id, name })),
    ...changedThings(before.users, after.users, ({ id }) => id).flatMap((change) =>
      documentHooks('User', change, userDocument),
    ),
    ...changedDocuments(before, after).flatMap(({ kind, ...change }) =>
      documentHooks(kind, change, (document) => document),
    ),
    ...changedMessages(before, after).flatMap((change) =>
      documentHooks('ChatMessage', change, (message) => messageDocument(message, after)),
    ),
  ];
}

function actorHooks({ before, after }: Change<Actor>): HookEvent[] {
  const ofActor = documentHooks('Actor', { before, after }, actorDocument);
  if (!before || !after) return ofActor;
  return [
    ...changedItems(before, after).flatMap((change) =>
      documentHooks('Item', change, (item: Item) => ({ ...itemDocument(item), uuid: item.uuid })),
    ),
    ...ofActor,
    ...changedEffects(before, after).flatMap((change) =>
      documentHooks('ActiveEffect', change, (effect) => effect),
    ),
  ];
}

function encounterHooks(change: Change<Encounter>): HookEvent[] {
  const { before, after } = change;
  const ofCombat = documentHooks('Combat', change, (encounter) => encounterDocument(encounter, true));
  if (!after) return ofCombat;
  const position = { round: after.round, turn: after.turn };
  const combat = encounterDocument(after, true);
  if (!before) return [...ofCombat, hook('combatStart', combat, position)];
  const combatants = changedCombatants(before, after).flatMap((one) =>
    documentHooks('Combatant', one, (combatant) => ({ ...combatant })),
  );
  const direction = Math.sign(after.round - before.round || after.turn - before.turn);
  if (direction === 0) return [...combatants, ...ofCombat];
  const moved = after.round === before.round ? 'combatTurn' : 'combatRound';
  return [...combatants, hook(moved, combat, position, { direction }), ...ofCombat];
}

function selectionHooks(before: WorldState, after: WorldState): HookEvent[] {
  if (before.selection === after.selection) return [];
  const told = (uuids: readonly string[], others: readonly string[], controlled: boolean) =>
    uuids.filter((uuid) => !others.includes(uuid)).map((uuid) => hook('controlToken', { uuid }, controlled));
  return [
    ...told(before.selection, after.selection, false),
    ...told(after.selection, before.selection, true),
  ];
}

/** `create`, `update` or `delete` of a kind of document. */
function documentHooks<T>(
  kind: string,
  { before, after }: Change<T>,
  print: (thing: T) => Document,
): HookEvent[] {
  if (after === undefined) return before === undefined ? [] : [hook(`delete${kind}`, print(before))];
  if (before === undefined) return [hook(`create${kind}`, print(after))];
  const changes = changesBetween(print(before), print(after));
  return changes ? [hook(`update${kind}`, print(after), changes)] : [];
}

function hook(name: string, ...args: unknown[]): HookEvent {
  return { hook: name, args };
}
