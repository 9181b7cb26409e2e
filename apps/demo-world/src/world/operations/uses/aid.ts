import { Refusal } from '../../refusal.ts';
import { hasFeature, spellModifier } from '../../rules/abilities.ts';
import { rollDamage } from '../../rules/rolls/attacks.ts';
import { withoutCondition } from '../../rules/health/conditions.ts';
import type { Roll } from '../../rules/rolls/dice.ts';
import { rollFormula } from '../../rules/rolls/dice.ts';
import { gainTemporary, heal } from '../../rules/health/hit-points.ts';
import type { Effect } from '../../effect.ts';
import type { Transaction } from '../../transaction.ts';
import { saveActor } from '../../transaction.ts';
import type { Use } from './one-use.ts';
import { impose, say, targetOf } from './one-use.ts';
import { shown } from '../actors/rolls.ts';

/** Without a target it heals the user. */
export function restore(tx: Transaction, use: Use, effect: Effect & { kind: 'heal' }): string {
  const target = targetOf(tx, use) ?? use.user;
  const roll = healingRoll(tx, use, effect);
  const { value, max } = target.hitPoints;
  // SRD 5.1, Cleric: Preserve Life restores no more than half of the maximum.
  const limit = effect.toHalf ? Math.max(0, Math.floor(max / 2) - value) : max - value;
  const healed = heal(target, Math.min(roll.total, limit));
  saveActor(tx, healed);
  const text = `${target.name} regains ${healed.hitPoints.value - value} hit points`;
  return say(tx, use, { text, roll: shown(roll) });
}

export function giveTemporary(tx: Transaction, use: Use, formula: string): string {
  const target = targetOf(tx, use) ?? use.user;
  const roll = rollFormula(formula, tx.random);
  saveActor(tx, gainTemporary(target, roll.total));
  return say(tx, use, { text: `${roll.total} temporary hit points for ${target.name}`, roll: shown(roll) });
}

export function giveCondition(tx: Transaction, use: Use, condition: string): string {
  const target = targetOf(tx, use) ?? use.user;
  impose(tx, { ...use, targetUuid: target.uuid }, condition);
  return say(tx, use, { text: `${target.name} is ${condition}` });
}

export function cure(tx: Transaction, use: Use, conditions: readonly string[]): string {
  const target = targetOf(tx, use) ?? use.user;
  const condition = conditions.find((name) => target.conditions.includes(name));
  if (!condition)
    throw new Refusal('invalid_target', `${target.name} has nothing that ${use.item.name} cures`);
  saveActor(tx, withoutCondition(target, condition));
  return say(tx, use, { text: `${target.name} is no longer ${condition}` });
}

export function stabilize(tx: Transaction, use: Use): string {
  const target = targetOf(tx, use);
  if (target?.life !== 'dying') throw new Refusal('invalid_target', `${use.item.name} needs a dying target`);
  saveActor(tx, { ...target, life: 'stable', deathSaves: { success: 0, failure: 0 } });
  return say(tx, use, { text: `${target.name} is stable` });
}

/** SRD 5.1, Wizard: Arcane Recovery; no slot above the 5th level. */
export function recover(tx: Transaction, use: Use, levels: number): string {
  const spellSlots = { ...use.user.spellSlots };
  let left = levels;
  for (let level = Math.min(5, levels); level >= 1; level -= 1) {
    const slots = spellSlots[level];
    if (!slots) continue;
    const count = Math.min(slots.max - slots.value, Math.floor(left / level));
    spellSlots[level] = { ...slots, value: slots.value + count };
    left -= count * level;
  }
  saveActor(tx, { ...use.user, spellSlots });
  return say(tx, use, { text: `Spell slots of ${levels - left} levels recovered` });
}

function healingRoll(tx: Transaction, use: Use, effect: Effect & { kind: 'heal' }): Roll {
  const slotLevelsAbove = Math.max(0, use.castLevel - (use.item.spell?.level ?? 0));
  const { formula, perSlotLevel } = effect;
  // SRD 5.1, Cleric: Disciple of Life adds 2 + the spell's level to spells of 1st level or higher.
  const disciple = use.castLevel > 0 && hasFeature(use.user, 'Disciple of Life') ? 2 + use.castLevel : 0;
  const modifier = (effect.addSpellModifier ? spellModifier(use.user) : 0) + disciple;
  const damage = { formula, type: 'healing', ...(perSlotLevel && { perSlotLevel }) };
  return rollDamage(damage, { modifier, slotLevelsAbove }, tx.random);
}
