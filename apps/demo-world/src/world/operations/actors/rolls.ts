import {
  abilityModifier,
  abilityNames,
  isLucky,
  skillAbilities,
  skillModifier,
  skillNames,
} from '../../rules/abilities.ts';
import { wearsNoisyArmor } from '../../rules/armor.ts';
import { hasEffect } from '../../rules/health/conditions.ts';
import type { D20Options, D20Roll } from '../../rules/rolls/d20.ts';
import { rollD20 } from '../../rules/rolls/d20.ts';
import { applyDeathSave, assertDying, deathSaveDc } from '../../rules/health/death-saves.ts';
import type { Roll } from '../../rules/rolls/dice.ts';
import { rollSave } from '../../rules/rolls/saving-throws.ts';
import type { Actor } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

export const rolls: OperationHandlers<'skill-check' | 'ability-check' | 'ability-save' | 'death-save'> = {
  'skill-check'(tx, parameters) {
    const { skill } = parameters;
    const actor = findOwnActor(tx, parameters);
    const hindered = skill === 'ste' && wearsNoisyArmor(actor);
    const roll = rollCheck(
      tx,
      actor,
      { ...parameters, disadvantage: parameters.disadvantage || hindered },
      skillModifier(actor, skill),
    );
    const ability = abilityNames[skillAbilities[skill]];
    announce(tx, parameters, {
      speaker: actor.name,
      title: `${skillNames[skill]} check`,
      text: ability,
      roll,
    });
    return { data: { actorUuid: actor.uuid, skill, ...told(roll) } };
  },

  'ability-check'(tx, parameters) {
    const { ability } = parameters;
    const actor = findOwnActor(tx, parameters);
    const roll = rollCheck(tx, actor, parameters, abilityModifier(actor, ability));
    announce(tx, parameters, { speaker: actor.name, title: `${abilityNames[ability]} check`, roll });
    return { data: { actorUuid: actor.uuid, ability, ...told(roll) } };
  },

  'ability-save'(tx, parameters) {
    const { ability } = parameters;
    const actor = findOwnActor(tx, parameters);
    const roll = rollSave(actor, ability, parameters, tx.random);
    announce(tx, parameters, { speaker: actor.name, title: `${abilityNames[ability]} saving throw`, roll });
    return { data: { actorUuid: actor.uuid, ability, ...told(roll) } };
  },

  'death-save'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    assertDying(actor);
    const roll = rollD20({ advantage: parameters.advantage, lucky: isLucky(actor) }, tx.random);
    const after = applyDeathSave(actor, roll);
    saveActor(tx, after);
    announce(tx, parameters, {
      speaker: actor.name,
      title: 'Death saving throw',
      text: deathSaveText(after),
      roll: withOutcome(roll, roll.total >= deathSaveDc),
    });
    const { life, deathSaves } = after;
    return { data: { actorUuid: actor.uuid, ...told(roll), deathSaves, ...endOfSaves[life] } };
  },
};

/** Result of the last death save. */
const endOfSaves = { alive: { healed: true }, stable: { stable: true }, dying: {}, dead: {} } as const;

/** The fields of a roll that callers see. */
export function told({ total, formula, result }: Roll) {
  return { total, formula, result };
}

/** Posts a roll unless the caller wants none in the chat. */
export function announce(
  tx: Transaction,
  { createChatMessage = true }: { createChatMessage?: boolean | undefined },
  message: Parameters<typeof post>[1],
): void {
  if (createChatMessage) post(tx, message);
}

/** A d20 roll with how it went: 1 and 20 stand out. */
export function withOutcome(roll: D20Roll, success: boolean) {
  const outcome =
    roll.natural === 20 ? 'critical' : roll.natural === 1 ? 'fumble' : success ? 'success' : 'failure';
  return { ...shown(roll), outcome } as const;
}

/** The part of a roll that the chat keeps. */
export function shown({ formula, result, total, dice }: Roll) {
  return { formula, result, total, dice };
}

function rollCheck(tx: Transaction, actor: Actor, options: D20Options, modifier: number): D20Roll {
  const disadvantage = options.disadvantage || hasEffect(actor, 'checks', 'disadvantage');
  const { advantage, bonus } = options;
  return rollD20({ advantage, bonus, modifier, disadvantage, lucky: isLucky(actor) }, tx.random);
}

function deathSaveText({ name, life, deathSaves }: Actor): string {
  if (life === 'alive') return `${name} is back with 1 hit point`;
  if (life === 'stable') return `${name} is stable`;
  if (life === 'dead') return `${name} dies`;
  return `${deathSaves.success} of 3 successes, ${deathSaves.failure} of 3 failures`;
}
