import { Refusal } from '../../refusal.ts';
import { withItem } from '../../rules/spending.ts';
import { saveActor } from '../../transaction.ts';
import { findItem, findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

export const upkeep: OperationHandlers<'modify-currency' | 'prepare-spell'> = {
  'modify-currency'(tx, { uuid, currency, amount }) {
    const actor = findOwnActor(tx, { actorUuid: uuid });
    const previous = actor.currency[currency];
    const current = Math.max(0, previous + amount);
    if (!Number.isSafeInteger(current))
      throw new Refusal('invalid_data', 'Coins are counted in whole numbers');
    saveActor(tx, { ...actor, currency: { ...actor.currency, [currency]: current } });
    return { data: { currency, previous, current, delta: amount } };
  },

  'prepare-spell'(tx, { uuid, name, prepared }) {
    const actor = findOwnActor(tx, { actorUuid: uuid });
    const item = findItem(actor, { name }, ['spell']);
    if (item.spell) saveActor(tx, withItem(actor, { ...item, spell: { ...item.spell, prepared } }));
    return { data: { spellName: item.name, prepared, uuid: item.uuid } };
  },
};
