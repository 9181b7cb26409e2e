import { Refusal } from '../../refusal.ts';
import { spellSaveDc } from '../../rules/abilities.ts';
import { armorClass } from '../../rules/armor.ts';
import type { AttackEffect } from '../../rules/rolls/attacks.ts';
import { damageModifier, rollAttack, rollDamage } from '../../rules/rolls/attacks.ts';
import { isIncapacitated, withCondition, withoutCondition } from '../../rules/health/conditions.ts';
import { takeDamage } from '../../rules/health/hit-points.ts';
import { rollSave, saveSucceeds } from '../../rules/rolls/saving-throws.ts';
import type { Actor } from '../../state.ts';
import type { Damage, Effect } from '../../effect.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { keepConcentration } from '../actors/concentration.ts';
import type { Use } from './one-use.ts';
import { impose, say, taken, targetOf } from './one-use.ts';
import { shown, withOutcome } from '../actors/rolls.ts';

/** Hurts an actor; damage calls for a save to keep concentration (SRD 5.1, Spellcasting: Concentration). */
export function hurt(tx: Transaction, actor: Actor, amount: number, critical = false): void {
  const after = takeDamage(actor, amount, { critical });
  saveActor(tx, after);
  if (after.concentration && amount > 0 && !isIncapacitated(after)) keepConcentration(tx, after, amount);
  if (after.life === actor.life) return;
  const title = after.life === 'dead' ? `${actor.name} dies` : `${actor.name} falls unconscious`;
  post(tx, { speaker: actor.name, title });
}

export function attack(tx: Transaction, use: Use, effect: AttackEffect): string {
  const target = targetOf(tx, use);
  const { roll, critical, hit } = rollAttack(use.user, effect, target, tx.random);
  use.rolled.roll = { ...taken(roll, critical), isFumble: roll.natural === 1 };
  const against = target && ` against ${target.name} (AC ${armorClass(target)})`;
  const verdict = hit === undefined ? '' : hit ? (critical ? ': a critical hit' : ': hit') : ': miss';
  const id = say(tx, use, {
    text: `Attack${against ?? ''}${verdict}`,
    roll: hit === undefined ? shown(roll) : withOutcome(roll, hit),
  });
  // SRD 5.1, Spell Descriptions: Invisibility ends for a target that attacks.
  saveActor(tx, withoutCondition(use.user, 'invisible'));
  if (hit === false) return id;
  const modifier = damageModifier(use.user, effect);
  dealDamage(tx, use, effect.damage, { critical, modifier });
  const struck = targetOf(tx, use);
  if (struck?.life === 'alive' && effect.onHit) resistCondition(tx, struck, effect.onHit);
  return id;
}

export function forceSave(tx: Transaction, use: Use, effect: Effect & { kind: 'save' }): string {
  const target = targetOf(tx, use);
  const dc = effect.dc === 'spell' ? spellSaveDc(use.user) : effect.dc;
  if (!target) {
    const id = say(tx, use, { text: `DC ${dc} ${effect.ability} save` });
    dealDamage(tx, use, effect.damage);
    return id;
  }
  if (effect.only && !effect.only.includes(target.creatureType)) {
    throw new Refusal('invalid_target', `${use.item.name} does not affect ${target.name}`);
  }
  const roll = rollSave(target, effect.ability, {}, tx.random);
  const success = saveSucceeds(target, effect.ability, roll, dc);
  const id = say(tx, use, {
    text: `${target.name}: DC ${dc} ${effect.ability} save, ${success ? 'success' : 'failure'}`,
    roll: withOutcome(roll, success),
  });
  if (!success || effect.onSuccess === 'half') dealDamage(tx, use, effect.damage, { halved: success });
  if (!success && effect.condition) impose(tx, use, effect.condition);
  return id;
}

/** Without a target it is rolled and shown, and hurts nobody. */
export function dealDamage(
  tx: Transaction,
  use: Use,
  damages: readonly Damage[],
  how: { critical?: boolean; modifier?: number; halved?: boolean } = {},
): string {
  const target = targetOf(tx, use);
  const slotLevelsAbove = Math.max(0, use.castLevel - (use.item.spell?.level ?? 0));
  const ids = damages.map((damage, index) => {
    const modifier = index === 0 ? (how.modifier ?? 0) : 0;
    const roll = rollDamage(damage, { ...how, modifier, slotLevelsAbove }, tx.random);
    use.rolled.damageRolls.push({ ...taken(roll, how.critical ?? false), type: damage.type });
    const isImmune = target?.damageImmunities.includes(damage.type);
    const amount = isImmune ? 0 : how.halved ? Math.floor(roll.total / 2) : roll.total;
    const text = target ? `${target.name} takes ${amount} ${damage.type}` : damage.type;
    const id = say(tx, use, { title: `${use.item.name}: damage`, text, roll: shown(roll) });
    const standing = targetOf(tx, use);
    if (standing) hurt(tx, standing, amount, how.critical);
    return id;
  });
  return ids[0] ?? say(tx, use, {});
}

function resistCondition(
  tx: Transaction,
  target: Actor,
  { ability, dc, condition, spares }: NonNullable<AttackEffect['onHit']>,
): void {
  const race = target.race.toLowerCase();
  if (spares.includes(target.creatureType) || spares.some((name) => race.includes(name))) return;
  const roll = rollSave(target, ability, {}, tx.random);
  const success = saveSucceeds(target, ability, roll, dc);
  post(tx, {
    speaker: target.name,
    title: `Saving throw against being ${condition}`,
    text: `DC ${dc}`,
    roll: withOutcome(roll, success),
  });
  if (!success) saveActor(tx, withCondition(target, condition));
}
