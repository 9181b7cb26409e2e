import { Refusal } from '../../refusal.ts';
import { transferCoins } from '../../rules/currency.ts';
import { addExperience } from '../../rules/experience.ts';
import { clampCharges, withItem } from '../../rules/spending.ts';
import type { Actor, Item, ItemType } from '../../state.ts';
import { post, saveActor } from '../../transaction.ts';
import { findItem, findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

const physical: readonly ItemType[] = ['weapon', 'equipment', 'consumable', 'loot'];
const attunementLimit = 3;

export const inventory: OperationHandlers<
  'modify-item-charges' | 'modify-experience' | 'equip-item' | 'attune-item' | 'transfer-currency'
> = {
  /** Charges stay between 0 and the item's maximum. Any excess is lost, and `newCharges` tells how many there are. */
  'modify-item-charges'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const item = findItem(actor, { uuid: parameters.itemUuid, name: parameters.itemName });
    if (!item.charges) throw new Refusal('no_charges', `${item.name} has no charges`);
    if (!Number.isInteger(parameters.amount)) {
      throw new Refusal('invalid_parameters', 'Charges are counted in whole numbers');
    }
    const charges = clampCharges(item.charges, parameters.amount);
    saveActor(tx, withItem(actor, { ...item, charges }));
    return { data: { itemUuid: item.uuid, oldCharges: item.charges.value, newCharges: charges.value } };
  },

  'modify-experience'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    if (actor.experience === null) {
      throw new Refusal('not_a_character', `${actor.name} is a monster and gains no experience`);
    }
    const newXp = addExperience(actor.experience, parameters.amount);
    saveActor(tx, { ...actor, experience: newXp });
    return { data: { actorUuid: actor.uuid, oldXp: actor.experience, newXp } };
  },

  'equip-item'(tx, parameters) {
    const { equipped } = parameters;
    const actor = findOwnActor(tx, parameters);
    const item = findItem(actor, { uuid: parameters.itemUuid, name: parameters.itemName }, physical);
    saveActor(tx, withItem(actor, { ...item, equipped }));
    return { data: { ...about(actor, item), equipped } };
  },

  /** SRD 5.1, Magic Items: Attunement. No more than three items, and none that does not ask for it. */
  'attune-item'(tx, parameters) {
    const { attuned } = parameters;
    const actor = findOwnActor(tx, parameters);
    const item = findItem(actor, { uuid: parameters.itemUuid, name: parameters.itemName }, physical);
    if (attuned) assertAttunable(actor, item);
    saveActor(tx, withItem(actor, { ...item, attunement: { ...item.attunement, attuned } }));
    return { data: { ...about(actor, item), attuned } };
  },

  'transfer-currency'(tx, { currency, ...names }) {
    const source = findOwnActor(tx, { actorUuid: names.sourceActorUuid, actorName: names.sourceActorName });
    const target = findOwnActor(tx, { actorUuid: names.targetActorUuid, actorName: names.targetActorName });
    if (source.uuid === target.uuid) {
      throw new Refusal('same_actor', `${source.name} can’t give coins to themselves`);
    }
    const balances = transferCoins(source.currency, target.currency, currency);
    saveActor(tx, { ...source, currency: balances.source });
    saveActor(tx, { ...target, currency: balances.target });
    post(tx, { speaker: source.name, title: `Coins for ${target.name}`, text: printCoins(currency) });
    return {
      data: {
        sourceActorUuid: source.uuid,
        targetActorUuid: target.uuid,
        transferred: currency,
        sourceBalance: balances.source,
        targetBalance: balances.target,
      },
    };
  },
};

function about(actor: Actor, item: Item) {
  return { actorUuid: actor.uuid, itemUuid: item.uuid, itemName: item.name };
}

function assertAttunable(actor: Actor, item: Item): void {
  if (!item.attunement.required) throw new Refusal('not_attunable', `${item.name} needs no attunement`);
  const others = actor.items.filter(({ id, attunement }) => id !== item.id && attunement.attuned);
  if (others.length < attunementLimit) return;
  throw new Refusal(
    'attunement_limit',
    `${actor.name} is attuned to ${others.map(({ name }) => name).join(', ')} and can’t attune to more`,
  );
}

function printCoins(currency: object): string {
  return Object.entries(currency)
    .filter(([, amount]) => amount > 0)
    .map(([coin, amount]) => `${amount} ${coin}`)
    .join(', ');
}
