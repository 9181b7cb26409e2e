import { itemDocument } from '../../documents.ts';
import type { Document } from '../../document.ts';
import { withItem } from '../../rules/spending.ts';
import type { Actor, Item, WorldState } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { saveActor } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { blankItem, readItem } from './item-fields.ts';
import { mergeDocument } from '../merge.ts';
import { storedRoom } from './stored-room.ts';
import type { FoundDocument } from '../stored-document.ts';

const loose = storedRoom('Item');

/** Items: an actor's are things of the rules, the world's own are kept as they are. */
export const itemRoom: DocumentRoom = {
  list(state, parent) {
    const actor = state.actors.find(({ uuid }) => uuid === parent);
    if (!actor) return loose.list(state, parent);
    return actor.items.map((item, index) => found(actor, item, index));
  },

  find(state, uuid) {
    const place = placeOf(state, uuid);
    if (!place) return loose.find(state, uuid);
    return found(place.actor, place.item, place.actor.items.indexOf(place.item));
  },

  insert(tx, place, data) {
    const actor = tx.state.actors.find(({ uuid }) => uuid === place.parent);
    if (!actor) return loose.insert(tx, place, data);
    addItem(tx, actor, blankItem(place.uuid, place.id, data), data);
  },

  change(tx, uuid, changes) {
    const place = placeOf(tx.state, uuid);
    if (place) changeItem(tx, place.actor, place.item, changes);
    else loose.change(tx, uuid, changes);
  },

  remove(tx, uuid) {
    const place = placeOf(tx.state, uuid);
    if (!place) return loose.remove(tx, uuid);
    const items = place.actor.items.filter((item) => item !== place.item);
    saveActor(tx, { ...place.actor, items });
  },
};

/** Adds an item to an actor, with what its document says. */
export function addItem(tx: Transaction, actor: Actor, item: Item, data: Document): void {
  changeItem(tx, { ...actor, items: [...actor.items, item] }, item, data);
}

function changeItem(tx: Transaction, actor: Actor, item: Item, changes: Document): void {
  const more = mergeDocument(item.more ?? {}, changes);
  saveActor(tx, withItem(actor, { ...readItem(item, mergeDocument({}, changes)), more }));
}

function placeOf({ actors }: WorldState, uuid: string): { actor: Actor; item: Item } | undefined {
  for (const actor of actors) {
    if (!uuid.startsWith(`${actor.uuid}.Item.`)) continue;
    const item = actor.items.find((one) => one.uuid === uuid);
    if (item) return { actor, item };
  }
  return undefined;
}

function found(actor: Actor, item: Item, sort: number): FoundDocument {
  const data = { ...itemDocument(item, actor.owners, sort), uuid: item.uuid };
  return { kind: 'Item', uuid: item.uuid, parent: actor.uuid, data };
}
