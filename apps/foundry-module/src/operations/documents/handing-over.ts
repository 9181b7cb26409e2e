import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor, FoundryDocument, Item } from '../../tabletop/documents.ts';
import { findByUuid, findItem, findOwnActor, isName, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { assertLevel } from '../permissions.ts';

/** Items from hand to hand. */
export const handingOver = {
  async give({ fromUuid, toUuid, selected, itemUuid, itemName, quantity }, { user }) {
    const target = await findOwnActor(user, { actorUuid: toUuid, selected });
    const giver = fromUuid === undefined ? undefined : await findOwnActor(user, { actorUuid: fromUuid });
    if (giver?.uuid === target.uuid) {
      throw new OperationRefused(`${target.name} has it already`, 'same_actor');
    }
    const given = giver
      ? findItem(giver, { uuid: itemUuid, name: itemName })
      : await looseItem(user, itemUuid, itemName);
    const count = quantity ?? quantityOf(given);
    if (giver) assertEnough(giver, given, count);
    const received = await giveTo(target, given, count);
    // Last: what fails before takes nothing from anybody.
    if (giver) await takeFrom(given, count);
    return {
      ...(fromUuid !== undefined && { fromUuid }),
      ...(selected !== undefined && { selected }),
      toUuid: target.uuid,
      quantity: quantityOf(received),
      itemUuid: given.uuid,
      newItemId: received.id,
      success: true,
    };
  },

  async remove({ actorUuid, selected, itemUuid, itemName, quantity }, { user }) {
    const actor = await findOwnActor(user, { actorUuid, selected });
    const item = findItem(actor, { uuid: itemUuid, name: itemName });
    const { uuid } = item;
    const count = quantity ?? quantityOf(item);
    assertEnough(actor, item, count);
    if (quantity === undefined) await item.delete();
    else await takeFrom(item, count);
    return { actorUuid: actor.uuid, itemUuid: uuid, quantity: count, success: true };
  },
} satisfies SomeHandlers;

/** Where systems keep how many there are: a number, or an object with a value. */
const places = ['system.quantity', 'system.quantity.value'] as const;

function placeOf(item: FoundryDocument): { path: string; count: number } | undefined {
  const data = item.toObject();
  for (const path of places) {
    const count = tabletop.foundry.utils.getProperty(data, path);
    if (typeof count === 'number') return { path, count };
  }
  return undefined;
}

const quantityOf = (item: FoundryDocument): number => placeOf(item)?.count ?? 1;

function assertEnough(actor: Actor, item: FoundryDocument, count: number): void {
  const has = quantityOf(item);
  if (count > has) throw new OperationRefused(`${actor.name} has ${has} × ${item.name}`, 'not_enough');
}

/** An item of the world, of an actor or of a compendium, which is copied. */
async function looseItem(
  user: ActingUser,
  uuid: string | undefined,
  name: string | undefined,
): Promise<FoundryDocument> {
  const found = uuid === undefined ? await itemByName(name) : await findByUuid(uuid);
  if (found?.documentName !== 'Item') throw notFound('item', uuid ?? name ?? '');
  assertLevel(user, found, 'OBSERVER', 'copy');
  return found;
}

async function itemByName(name: string | undefined): Promise<FoundryDocument | null> {
  const { items, packs } = tabletop.game;
  const inWorld = items.find((item) => isName(item, name));
  if (inWorld) return inWorld;
  for (const pack of packs) {
    if (pack.documentName !== 'Item') continue;
    const entry = pack.index.find((one) => isName(one, name));
    if (entry) return findByUuid(entry.uuid);
  }
  return null;
}

/** Adds to the stack of that name and type, or as a new item, which nobody wears or is attuned to. */
async function giveTo(target: Actor, given: FoundryDocument, count: number): Promise<Item> {
  const { type } = given as Item;
  const stack = target.items.find((item) => item.type === type && isName(item, given.name));
  const place = stack && placeOf(stack);
  if (stack && place) {
    await stack.update({ [place.path]: place.count + count });
    return stack;
  }
  const { _id, folder: _folder, ownership: _ownership, ...data } = given.toObject();
  const { path } = placeOf(given) ?? {};
  const worn = ['system.equipped', 'system.attuned'].filter(
    (one) => typeof tabletop.foundry.utils.getProperty(data, one) === 'boolean',
  );
  const changes = tabletop.foundry.utils.expandObject(
    Object.fromEntries([...worn.map((one) => [one, false]), ...(path === undefined ? [] : [[path, count]])]),
  );
  const system = { ...(data['system'] as object), ...(changes['system'] as object | undefined) };
  const [made] = await target.createEmbeddedDocuments('Item', [{ ...data, system }]);
  if (!made) throw vetoed('The item');
  return made as Item;
}

/** Takes some of a stack, and the item itself with the last. */
async function takeFrom(item: FoundryDocument, count: number): Promise<void> {
  const place = placeOf(item);
  if (!place || count >= place.count) await item.delete();
  else await item.update({ [place.path]: place.count - count });
}
