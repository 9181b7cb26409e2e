import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { Actor, Item } from '../../tabletop/documents.ts';
import { findItem, findOwnActor } from '../../operations/acting.ts';
import type { SystemHandlers } from '../system.ts';
import { fieldOf, hasField, numberOf } from './sheet.ts';

export const items = {
  /** Charges stay between 0 and the item's maximum. Releases count those that are left, or those that are spent. */
  async 'modify-item-charges'({ actorUuid, itemUuid, itemName, amount }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const item = findItem(actor, { uuid: itemUuid, name: itemName });
    const max = Number(fieldOf(item, 'uses.max')) || 0;
    if (max <= 0) throw new OperationRefused(`${item.name} has no charges`, 'no_charges');
    if (!Number.isInteger(amount)) {
      throw new OperationRefused('Charges are counted in whole numbers', 'invalid_parameters');
    }
    const spent = numberOf(item, 'uses.spent');
    const oldCharges = spent === undefined ? (numberOf(item, 'uses.value') ?? max) : max - spent;
    const newCharges = Math.min(max, Math.max(0, oldCharges + amount));
    const change =
      spent === undefined ? { 'system.uses.value': newCharges } : { 'system.uses.spent': max - newCharges };
    await item.update(change);
    return { data: { itemUuid: item.uuid, oldCharges, newCharges } };
  },

  async 'equip-item'({ itemUuid, itemName, equipped, ...reference }, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const item = findItem(actor, { uuid: itemUuid, name: itemName });
    if (!hasField(item, 'equipped')) {
      throw new OperationRefused(`${item.name} cannot be worn or wielded`, 'not_supported');
    }
    await item.update({ 'system.equipped': equipped });
    return { data: { ...about(actor, item), equipped } };
  },

  async 'attune-item'({ itemUuid, itemName, attuned, ...reference }, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const item = findItem(actor, { uuid: itemUuid, name: itemName });
    if (attuned) assertAttunable(actor, item);
    await item.update({ 'system.attuned': attuned });
    return { data: { ...about(actor, item), attuned } };
  },

  /** Releases keep whether a spell is prepared as a number, of which 2 is always, or within `preparation`. */
  async 'prepare-spell'({ uuid, name, prepared }, { user }) {
    const actor = await findOwnActor(user, { actorUuid: uuid });
    const spell = findItem(actor, { name }, ['spell']);
    if (numberOf(spell, 'prepared') === 2 || fieldOf(spell, 'preparation.mode') === 'always') {
      throw new OperationRefused(`${spell.name} is always prepared`, 'not_supported');
    }
    const change = hasField(spell, 'preparation')
      ? { 'system.preparation.prepared': prepared }
      : { 'system.prepared': prepared ? 1 : 0 };
    await spell.update(change);
    return { data: { spellName: spell.name, prepared, uuid: spell.uuid } };
  },
} satisfies Partial<SystemHandlers>;

const about = (actor: Actor, item: Item) => ({
  actorUuid: actor.uuid,
  itemUuid: item.uuid,
  itemName: item.name,
});

/** No more items than the actor has room for, and none that asks for no attunement. */
function assertAttunable(actor: Actor, item: Item): void {
  const canAttune = fieldOf(item, 'canAttune') ?? Boolean(fieldOf(item, 'attunement'));
  if (!canAttune) throw new OperationRefused(`${item.name} needs no attunement`, 'not_attunable');
  const others = actor.items.filter((one) => one.id !== item.id && fieldOf(one, 'attuned') === true);
  if (others.length < (numberOf(actor, 'attributes.attunement.max') ?? 3)) return;
  const names = others.map(({ name }) => name).join(', ');
  throw new OperationRefused(
    `${actor.name} is attuned to ${names} and cannot attune to more`,
    'attunement_limit',
  );
}
