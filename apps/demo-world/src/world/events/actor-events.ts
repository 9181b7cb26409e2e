import type { EventData } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { actorDocument, conditionsOf, itemDocument } from '../documents.ts';
import type { Actor, Item, WorldState } from '../state.ts';
import type { Change } from './changes.ts';
import { changedThings, changesBetween } from './changes.ts';
import { effectsOnActors } from './document-events.ts';

type ActorEvent = EventData<'actor'>;

/** Events of the actor channel for one step. */
export function actorEvents(before: WorldState, after: WorldState): ActorEvent[] {
  return [
    ...changedActors(before, after).flatMap((change) =>
      change.before && change.after ? eventsOf(change.before, change.after) : [],
    ),
    ...effectsOnActors(before, after),
  ];
}

export const changedActors = (before: WorldState, after: WorldState): Change<Actor>[] =>
  changedThings(before.actors, after.actors, ({ uuid }) => uuid);

export const changedItems = (before: Actor, after: Actor): Change<Item>[] =>
  changedThings(before.items, after.items, ({ id }) => id);

/** The effects that began, and those that ended. */
export function changedEffects(before: Actor, after: Actor): Change<Document>[] {
  return changedThings(conditionsOf(before), conditionsOf(after), ({ id }) => String(id)).filter(
    (change) => !change.before || !change.after,
  );
}

function eventsOf(before: Actor, after: Actor): ActorEvent[] {
  const about = (eventType: string, more: Document): ActorEvent => ({
    eventType,
    actorUuid: after.uuid,
    ...more,
  });
  const changes = changesBetween(actorDocument(before), actorDocument(after));
  return [
    ...(changes ? [about('update', { name: after.name, changes })] : []),
    ...changedItems(before, after).map((change) => itemEvent(change, about)),
    ...changedEffects(before, after).map(({ before: ended, after: began }) =>
      began
        ? about('effect-add', { effect: began })
        : about('effect-remove', { effectId: ended?.['id'], effectName: ended?.['name'] }),
    ),
  ];
}

function itemEvent(
  { before, after }: Change<Item>,
  about: (eventType: string, more: Document) => ActorEvent,
): ActorEvent {
  if (!after) return about('item-remove', { itemId: before?.id, itemName: before?.name });
  if (!before) return about('item-add', { item: itemDocument(after) });
  const changes = changesBetween(itemDocument(before), itemDocument(after));
  return about('item-update', { itemId: after.id, itemName: after.name, changes });
}
