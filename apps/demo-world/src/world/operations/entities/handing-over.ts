import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import { Refusal } from '../../refusal.ts';
import { createId } from '../../rules/rolls/random.ts';
import { withItem } from '../../rules/spending.ts';
import type { Actor, Item } from '../../state.ts';
import { deleteDocument } from '../../store/change-documents.ts';
import { compendiumItem, compendiums } from '../../store/compendium.ts';
import { documentsOf, findDocument, knownDocument } from '../../store/find-documents.ts';
import { textAt } from '../../store/rooms/fields.ts';
import { addItem } from '../../store/rooms/item-room.ts';
import { blankItem } from '../../store/rooms/item-fields.ts';
import { assertSpace } from '../../store/limits.ts';
import { assertLevel, levels } from '../../store/permissions.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findActor, findItem, findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

export const handingOver: OperationHandlers<'give' | 'remove'> = {
  give(tx, { fromUuid, toUuid, selected, itemUuid, itemName, quantity }) {
    const target = findOwnActor(tx, { actorUuid: toUuid, selected });
    const giver = fromUuid === undefined ? undefined : findOwnActor(tx, { actorUuid: fromUuid });
    if (giver?.uuid === target.uuid) throw new Refusal('same_actor', `${target.name} has it already`);
    const given = giver
      ? ownItem(findItem(giver, { uuid: itemUuid, name: itemName }))
      : looseItem(tx, { itemUuid, itemName });
    const count = quantity ?? given.quantity;
    if (giver) takeFrom(tx, giver, given.uuid, count);
    const received = giveTo(tx, target.uuid, given, count);
    assertSpace(tx.state);
    const from = giver ? ` from ${giver.name}` : '';
    post(tx, { speaker: target.name, title: 'receives', text: `${count} × ${received.name}${from}` });
    return {
      ...(fromUuid !== undefined && { fromUuid }),
      ...(selected !== undefined && { selected }),
      toUuid: target.uuid,
      quantity: received.quantity,
      itemUuid: given.uuid,
      newItemId: received.id,
      success: true,
    };
  },

  remove(tx, { actorUuid, selected, itemUuid, itemName, quantity }) {
    const actor = findOwnActor(tx, { actorUuid, selected });
    const item = findItem(actor, { uuid: itemUuid, name: itemName });
    const count = quantity ?? item.quantity;
    takeFrom(tx, actor, item.uuid, quantity ?? Infinity);
    post(tx, { speaker: actor.name, title: 'loses', text: `${count} × ${item.name}` });
    return { actorUuid: actor.uuid, itemUuid: item.uuid, quantity: count, success: true };
  },
};

/** An item on its way: how an actor has it, or what a world's own document says. */
interface GivenItem {
  uuid: string;
  name: string;
  quantity: number;
  put(tx: Transaction, target: Actor, uuid: string, quantity: number): void;
}

function ownItem(item: Item): GivenItem {
  return {
    uuid: item.uuid,
    name: item.name,
    quantity: item.quantity,
    put(tx, target, uuid, quantity) {
      const attunement = { ...item.attunement, attuned: false };
      const copy = { ...item, uuid, id: idOf(uuid), quantity, equipped: false, attunement };
      saveActor(tx, { ...target, items: [...target.items, copy] });
    },
  };
}

function looseItem(
  tx: Transaction,
  { itemUuid, itemName }: { itemUuid: string | undefined; itemName: string | undefined },
): GivenItem {
  const document =
    itemUuid === undefined ? itemByName(tx, itemName ?? '') : knownDocument(tx.state, itemUuid);
  if (document?.kind !== 'Item')
    throw new Refusal('entity_not_found', `There is no item ${itemUuid ?? itemName}`);
  assertLevel(tx, document, levels.observer, 'copy');
  const holder = document.parent === null ? undefined : findDocument(tx.state, document.parent);
  if (holder)
    return ownItem(findItem(findActor(tx.state, { actorUuid: holder.uuid }), { uuid: document.uuid }));
  const draft = compendiumItem(document.uuid);
  if (draft) return ownItem({ ...draft, uuid: document.uuid });
  return storedItem(document);
}

/** An item of the world or of a compendium by its name, whatever its case. */
function itemByName(tx: Transaction, name: string): FoundDocument | undefined {
  const all = [...documentsOf(tx.state, 'Item'), ...compendiums.flatMap(({ documents }) => documents)];
  return all.find(({ data }) => textAt(data, 'name', '').toLowerCase() === name.toLowerCase());
}

function storedItem({ uuid, data }: FoundDocument): GivenItem {
  const { _id, uuid: _uuid, folder: _folder, ownership: _ownership, ...fields } = data;
  const blank = blankItem(uuid, idOf(uuid), data);
  return {
    uuid,
    name: textAt(data, 'name', blank.name),
    quantity: blank.quantity,
    put(tx, target, newUuid, quantity) {
      const changes: Document = { ...fields, 'system.quantity': quantity };
      addItem(tx, target, { ...blank, uuid: newUuid, id: idOf(newUuid) }, changes);
    },
  };
}

/** Takes some of a stack, and the item itself with the last. */
function takeFrom(tx: Transaction, actor: Actor, itemUuid: string, count: number): void {
  const item = findItem(actor, { uuid: itemUuid });
  if (count === Infinity || count === item.quantity) {
    const document = findDocument(tx.state, itemUuid);
    if (document) deleteDocument(tx, document);
  } else if (count > item.quantity)
    throw new Refusal('not_enough', `${actor.name} has ${item.quantity} × ${item.name}`);
  else saveActor(tx, withItem(actor, { ...item, quantity: item.quantity - count }));
}

/** Adds to the stack of the same name and type, or as a new item. */
function giveTo(tx: Transaction, targetUuid: string, given: GivenItem, count: number): Item {
  const target = findActor(tx.state, { actorUuid: targetUuid });
  const stack = target.items.find((item) => item.name === given.name && !item.charges && !item.spell);
  if (stack) {
    const grown = { ...stack, quantity: stack.quantity + count };
    saveActor(tx, withItem(target, grown));
    return grown;
  }
  const uuid = `${targetUuid}.Item.${createId(tx.random)}`;
  given.put(tx, target, uuid, count);
  return findItem(findActor(tx.state, { actorUuid: targetUuid }), { uuid });
}
