import type { Ability } from './ability.ts';
import type { CreatureType } from './creature-type.ts';

/** The effect of using an item, a spell or a feature, with a target where it needs one. */
export type Effect =
  | {
      kind: 'attack';
      /** `finesse` takes the better of strength and dexterity; `spell` the spellcasting ability. */
      ability: Ability | 'finesse' | 'spell';
      /** The bonus of a magic weapon to attack and damage. */
      magic: number;
      /** Total attack bonus, where a stat block's differs from ability and proficiency. */
      attackBonus?: number;
      damage: readonly Damage[];
      /** Whether the ability modifier adds to the damage. */
      damageModifier: boolean;
      onHit?: SavedCondition;
    }
  | {
      kind: 'save';
      ability: Ability;
      dc: number | 'spell';
      damage: readonly Damage[];
      onSuccess: 'half' | 'none';
      condition?: string;
      /** Creature types it affects; all where it is absent. */
      only?: readonly CreatureType[];
    }
  | { kind: 'damage'; damage: readonly Damage[] }
  | { kind: 'heal'; formula: string; addSpellModifier?: boolean; toHalf?: boolean; perSlotLevel?: string }
  | { kind: 'temporary'; formula: string }
  | { kind: 'condition'; condition: string }
  /** Ends the first of these conditions that the target has. */
  | { kind: 'cure'; conditions: readonly string[] }
  /** Stabilises the dying. */
  | { kind: 'stabilize' }
  /** Returns spell slots of so many levels in all, the highest first. */
  | { kind: 'recover-slots'; levels: number };

export interface Damage {
  formula: string;
  type: string;
  /** Added for each slot level above the spell's own. */
  perSlotLevel?: string;
}

export interface SavedCondition {
  ability: Ability;
  dc: number;
  condition: string;
  /** Races and creature types that it does not touch, lower case. */
  spares: readonly string[];
}
