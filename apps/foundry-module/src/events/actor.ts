import type { Actor, Data, FoundryDocument } from '../tabletop/documents.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { visibleTo } from './visible-to.ts';

/** Actors of the world and tokens' own, with their items and effects. */
export function actorHooks(send: Send<'actor'>): HookRuns {
  const tell = (actor: FoundryDocument, eventType: string, more: () => Data) =>
    send(() => ({ eventType, actorUuid: actor.uuid, ...more() }), visibleTo([actor]));
  /** Items and effects of the world, or within items, belong to no actor. */
  const ofActor =
    (eventType: string, more: (document: FoundryDocument, changes: Data) => Data) =>
    (document: FoundryDocument, changes: Data) => {
      const actor = document.parent;
      if (actor?.documentName === 'Actor') tell(actor, eventType, () => more(document, changes));
    };
  return {
    updateActor: (actor: Actor, changes: Data) =>
      tell(actor, 'update', () => ({ name: actor.name, changes })),
    createItem: ofActor('item-add', (item) => ({ item: item.toObject() })),
    updateItem: ofActor('item-update', ({ id, name }, changes) => ({ itemId: id, itemName: name, changes })),
    deleteItem: ofActor('item-remove', ({ id, name }) => ({ itemId: id, itemName: name })),
    createActiveEffect: ofActor('effect-add', (effect) => ({ effect: effect.toObject() })),
    deleteActiveEffect: ofActor('effect-remove', ({ id, name }) => ({ effectId: id, effectName: name })),
  };
}
