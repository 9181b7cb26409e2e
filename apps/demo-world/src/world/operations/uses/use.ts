import type { WireParameters } from '@tabletop-relay/module-sdk';
import { Refusal } from '../../refusal.ts';
import { isIncapacitated } from '../../rules/health/conditions.ts';
import { concentrateOn } from '../../rules/health/concentration.ts';
import { createId } from '../../rules/rolls/random.ts';
import { spend } from '../../rules/spending.ts';
import type { ItemType } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { saveActor } from '../../transaction.ts';
import { applyEffect } from './effects.ts';
import type { Use } from './one-use.ts';
import { findItem, findOwnActor, findTarget } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

const things: readonly ItemType[] = ['weapon', 'equipment', 'consumable', 'loot'];

/** `use-ability` takes whatever an actor has; the others one kind each. */
export const use: OperationHandlers<'use-ability' | 'use-feature' | 'use-spell' | 'use-item'> = {
  'use-ability': (tx, parameters) => useOne(tx, parameters, ['feat', 'spell', ...things]),
  'use-feature': (tx, parameters) => useOne(tx, parameters, ['feat']),
  'use-spell': (tx, parameters) => useOne(tx, parameters, ['spell']),
  'use-item': (tx, parameters) => useOne(tx, parameters, things),
};

type UseParameters = WireParameters<'use-ability'>;

/** Pays for the use, starts the concentration that it asks for, and does what it does. */
function useOne(tx: Transaction, parameters: UseParameters, types: readonly ItemType[]) {
  const actor = findOwnActor(tx, parameters);
  const item = findItem(actor, { uuid: parameters.abilityUuid, name: parameters.abilityName }, types);
  const target = findTarget(tx.state, parameters);
  // SRD 5.1, Appendix PH-A: an incapacitated creature can't take actions or reactions.
  if (isIncapacitated(actor)) throw new Refusal('incapacitated', `${actor.name} can’t act`);
  const { actor: payer, castLevel } = spend(actor, item);
  const user = item.spell?.concentration ? concentrateOn(payer, item, createId(tx.random)) : payer;
  saveActor(tx, user);
  const use: Use = { user, item, castLevel, targetUuid: target?.uuid ?? null, rolled: { damageRolls: [] } };
  const result = applyEffect(tx, use);
  const { roll, damageRolls } = use.rolled;
  return {
    data: {
      uuid: actor.uuid,
      ability: item.name,
      result,
      ...(roll && { roll }),
      ...(damageRolls.length > 0 && { damageRolls }),
    },
  };
}
