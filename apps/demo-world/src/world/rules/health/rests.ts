import { Refusal } from '../../refusal.ts';
import type { Actor, Charges } from '../../state.ts';
import { abilityModifier } from '../abilities.ts';
import type { Roll } from '../rolls/dice.ts';
import { rollFormula } from '../rolls/dice.ts';
import { heal } from './hit-points.ts';
import { clampCharges } from '../spending.ts';
import type { Random } from '../rolls/random.ts';

/** An actor after a rest, and the hit dice and recharges that were rolled. */
export interface Rested {
  actor: Actor;
  rolls: readonly Roll[];
}

/**
 * SRD 5.1, Adventuring: Short Rest. Hit dice are spent while there are some and hit points are below the fraction
 * `spendBelow` of the maximum; 0 spends none. Features of short rests and pact magic slots return.
 */
export function takeShortRest(actor: Actor, spendBelow: number, random: Random): Rested {
  assertCanRest(actor);
  const rolls: Roll[] = [];
  let rested = actor;
  while (needsHitDie(rested, spendBelow)) {
    const roll = rollHitDie(rested, random);
    rolls.push(roll);
    const { hitDice } = rested;
    rested = heal({ ...rested, hitDice: { ...hitDice, spent: hitDice.spent + 1 } }, Math.max(0, roll.total));
  }
  rested = recharge(withPactSlots(rested), ['short'], random, rolls);
  return { actor: rested, rolls };
}

/**
 * SRD 5.1, Adventuring: Long Rest. All hit points, half of the hit dice (at least one), all spell slots, features of
 * both rests; temporary hit points end. A new day also recharges what does so at dawn.
 */
export function takeLongRest(actor: Actor, newDay: boolean, random: Random): Rested {
  assertCanRest(actor);
  const { hitDice, hitPoints } = actor;
  const regained = Math.max(1, Math.floor(hitDice.max / 2));
  const rolls: Roll[] = [];
  const rested = recharge(
    {
      ...withPactSlots(actor),
      hitPoints: { ...hitPoints, value: hitPoints.max, temp: 0 },
      hitDice: { ...hitDice, spent: Math.max(0, hitDice.spent - regained) },
      spellSlots: Object.fromEntries(
        Object.entries(actor.spellSlots).map(([level, slots]) => [level, { ...slots, value: slots.max }]),
      ),
    },
    newDay ? ['short', 'long', 'dawn'] : ['short', 'long'],
    random,
    rolls,
  );
  return { actor: rested, rolls };
}

function assertCanRest(actor: Actor): void {
  if (actor.life === 'dead') throw new Refusal('actor_dead', `${actor.name} is dead`);
}

function needsHitDie({ hitPoints, hitDice }: Actor, spendBelow: number): boolean {
  return hitDice.spent < hitDice.max && hitPoints.value < hitPoints.max * spendBelow;
}

/** A hit die plus constitution, 0 at least. */
function rollHitDie(actor: Actor, random: Random): Roll {
  const constitution = abilityModifier(actor, 'con');
  return rollFormula(`1d${actor.hitDice.faces}${constitution < 0 ? '' : '+'}${constitution}`, random);
}

/** SRD 5.1, Warlock: Pact Magic. Its slots return with either rest. */
function withPactSlots(actor: Actor): Actor {
  const pact = actor.pactSlots;
  return pact ? { ...actor, pactSlots: { ...pact, value: pact.max } } : actor;
}

function recharge(actor: Actor, when: readonly Charges['recharge'][], random: Random, rolls: Roll[]): Actor {
  const items = actor.items.map((item) => {
    const { charges } = item;
    if (!charges?.recharge || charges.value === charges.max || !when.includes(charges.recharge)) return item;
    if (!charges.formula) return { ...item, charges: { ...charges, value: charges.max } };
    const roll = rollFormula(charges.formula, random);
    rolls.push(roll);
    return { ...item, charges: clampCharges(charges, roll.total) };
  });
  return { ...actor, items };
}
