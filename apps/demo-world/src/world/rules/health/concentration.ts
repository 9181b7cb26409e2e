import type { Actor, Item } from '../../state.ts';

/** SRD 5.1, Spellcasting: Concentration. Half the damage rounded down, or 10 where that is higher. */
export function concentrationDc(damage: number): number {
  return Math.max(10, Math.floor(damage / 2));
}

/** Starts to concentrate on a spell, which ends what was concentrated on before. */
export function concentrateOn(actor: Actor, spell: Item, id: string): Actor {
  return { ...actor, concentration: { id, spell: spell.name, itemUuid: spell.uuid, imposed: [] } };
}

export function endConcentration(actor: Actor): Actor {
  return actor.concentration ? { ...actor, concentration: null } : actor;
}
