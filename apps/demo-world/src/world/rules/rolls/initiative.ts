import type { Actor, Combatant } from '../../state.ts';
import { abilityModifier, abilityScore, isLucky } from '../abilities.ts';
import { hasEffect } from '../health/conditions.ts';
import type { D20Roll } from './d20.ts';
import { rollD20 } from './d20.ts';
import type { Random } from './random.ts';

/** A dexterity check (SRD 5.1, Combat: Initiative). */
export function rollInitiative(actor: Actor, random: Random): D20Roll {
  const disadvantage = hasEffect(actor, 'checks', 'disadvantage');
  return rollD20({ modifier: abilityModifier(actor, 'dex'), disadvantage, lucky: isLucky(actor) }, random);
}

/**
 * From the highest initiative to the lowest, those who have not rolled at the end. The rules leave ties to the GM:
 * here the higher dexterity score goes first, and then who joined first.
 */
export function turnOrder(combatants: readonly Combatant[], actors: readonly Actor[]): Combatant[] {
  const dexterity = (combatant: Combatant) => {
    const actor = actors.find(({ uuid }) => uuid === combatant.actorUuid);
    return actor ? abilityScore(actor, 'dex') : 0;
  };
  const initiative = ({ initiative }: Combatant) => initiative ?? Number.NEGATIVE_INFINITY;
  return combatants.toSorted((a, b) =>
    initiative(a) === initiative(b) ? dexterity(b) - dexterity(a) : initiative(b) > initiative(a) ? 1 : -1,
  );
}
