import type { Actor } from '../../state.ts';
import type { Ability } from '../../ability.ts';
import { isLucky, saveModifier } from '../abilities.ts';
import { hasEffect } from '../health/conditions.ts';
import type { D20Options, D20Roll } from './d20.ts';
import { rollD20 } from './d20.ts';
import type { Random } from './random.ts';

/** SRD 5.1, Using Ability Scores: Saving Throws, with the actor's conditions. */
export function rollSave(actor: Actor, ability: Ability, options: D20Options, random: Random): D20Roll {
  const hindered = ability === 'dex' && hasEffect(actor, 'dexteritySaves', 'disadvantage');
  return rollD20(
    {
      ...options,
      modifier: saveModifier(actor, ability),
      disadvantage: options.disadvantage || hindered,
      lucky: isLucky(actor),
    },
    random,
  );
}

/** Whether a rolled save succeeds; the helpless fail strength and dexterity saves whatever they roll. */
export function saveSucceeds(actor: Actor, ability: Ability, roll: D20Roll, dc: number): boolean {
  const fails = (ability === 'str' || ability === 'dex') && hasEffect(actor, 'failsSaves', true);
  return !fails && roll.total >= dc;
}
