import type { Actor } from '../../state.ts';
import type { Damage, Effect } from '../../effect.ts';
import { abilityModifier, hasFeature, isLucky, proficiencyBonus, spellModifier } from '../abilities.ts';
import { armorClass } from '../armor.ts';
import { hasEffect } from '../health/conditions.ts';
import type { D20Roll } from './d20.ts';
import { rollD20 } from './d20.ts';
import type { Roll } from './dice.ts';
import { rollTerms } from './dice.ts';
import type { Term } from './formula.ts';
import { numberTerm, parseFormula } from './formula.ts';
import type { Random } from './random.ts';

export type AttackEffect = Effect & { kind: 'attack' };

export interface Attack {
  roll: D20Roll;
  critical: boolean;
  /** Absent without a target. */
  hit?: boolean;
}

/**
 * SRD 5.1, Combat: Making an Attack. Hits with a total of at least the target's armor class; a natural 20 always
 * hits and is critical, a natural 1 always misses. Conditions of both give advantage or disadvantage.
 */
export function rollAttack(
  attacker: Actor,
  effect: AttackEffect,
  target: Actor | null,
  random: Random,
): Attack {
  const roll = rollD20(
    {
      modifier: attackModifier(attacker, effect),
      advantage:
        hasEffect(attacker, 'attacks', 'advantage') ||
        (target !== null && hasEffect(target, 'attacked', 'advantage')),
      disadvantage:
        hasEffect(attacker, 'attacks', 'disadvantage') ||
        (target !== null && hasEffect(target, 'attacked', 'disadvantage')),
      lucky: isLucky(attacker),
    },
    random,
  );
  const critical = roll.natural >= criticalFrom(attacker, effect);
  if (!target) return { roll, critical };
  return { roll, critical, hit: roll.natural !== 1 && (critical || roll.total >= armorClass(target)) };
}

/** Rolls damage; a critical hit rolls all its dice twice (SRD 5.1, Combat: Critical Hits). */
export function rollDamage(
  damage: Damage,
  options: { modifier?: number; critical?: boolean; slotLevelsAbove?: number },
  random: Random,
): Roll {
  const { modifier = 0, critical = false, slotLevelsAbove = 0 } = options;
  const extra = damage.perSlotLevel ? Array<string>(slotLevelsAbove).fill(damage.perSlotLevel) : [];
  const terms = [damage.formula, ...extra].flatMap(parseFormula);
  const all = modifier === 0 ? terms : [...terms, numberTerm(modifier)];
  const roll = rollTerms(critical ? all.map(doubled) : all, random);
  return { ...roll, total: Math.max(0, roll.total) };
}

/** The bonus to an attack's damage: the ability, where the weapon adds it, and the weapon's magic. */
export function damageModifier(attacker: Actor, effect: AttackEffect): number {
  return (effect.damageModifier ? attackAbilityModifier(attacker, effect) : 0) + effect.magic;
}

function attackModifier(attacker: Actor, effect: AttackEffect): number {
  if (effect.attackBonus !== undefined) return effect.attackBonus;
  return attackAbilityModifier(attacker, effect) + proficiencyBonus(attacker) + effect.magic;
}

function attackAbilityModifier(attacker: Actor, { ability }: AttackEffect): number {
  if (ability === 'spell') return spellModifier(attacker);
  if (ability !== 'finesse') return abilityModifier(attacker, ability);
  return Math.max(abilityModifier(attacker, 'str'), abilityModifier(attacker, 'dex'));
}

/** SRD 5.1, Fighter: Improved Critical is for weapon attacks. */
function criticalFrom(attacker: Actor, effect: AttackEffect): number {
  return effect.ability !== 'spell' && hasFeature(attacker, 'Improved Critical') ? 19 : 20;
}

function doubled(term: Term): Term {
  return term.kind === 'dice' ? { ...term, count: term.count * 2 } : term;
}
