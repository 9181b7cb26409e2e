import type { Actor } from '../../state.ts';
import { withCondition, withoutCondition } from './conditions.ts';

/**
 * Takes damage, temporary hit points first (SRD 5.1, Combat: Damage and Healing). Dropping to 0 a character falls
 * unconscious and a monster dies; what is left over kills at once when it is the hit point maximum or more. At 0 hit
 * points damage is a failed death save, two from a critical hit.
 */
export function takeDamage(actor: Actor, amount: number, { critical = false } = {}): Actor {
  if (amount <= 0 || actor.life === 'dead') return actor;
  const { value, max, temp } = actor.hitPoints;
  const absorbed = Math.min(temp, amount);
  const rest = amount - absorbed;
  const hurt = { ...actor, hitPoints: { value: Math.max(0, value - rest), max, temp: temp - absorbed } };
  if (rest === 0) return hurt;
  if (value === 0) return rest >= max ? die(hurt) : failDeathSaves(hurt, critical ? 2 : 1);
  if (hurt.hitPoints.value > 0) return hurt;
  if (rest - value >= max || actor.kind === 'npc') return die(hurt);
  return withCondition({ ...hurt, life: 'dying', deathSaves: { success: 0, failure: 0 } }, 'unconscious');
}

/** Regains hit points up to the maximum; it wakes the dying and does nothing for the dead (SRD 5.1, Combat: Healing). */
export function heal(actor: Actor, amount: number): Actor {
  if (amount <= 0 || actor.life === 'dead') return actor;
  const { value, max, temp } = actor.hitPoints;
  const healed = { ...actor, hitPoints: { value: Math.min(max, value + amount), max, temp } };
  if (actor.life === 'alive') return healed;
  return withoutCondition(
    { ...healed, life: 'alive', deathSaves: { success: 0, failure: 0 } },
    'unconscious',
  );
}

/** Temporary hit points don't add up: the larger stay (SRD 5.1, Combat: Temporary Hit Points). */
export function gainTemporary(actor: Actor, amount: number): Actor {
  return { ...actor, hitPoints: { ...actor.hitPoints, temp: Math.max(actor.hitPoints.temp, amount) } };
}

/** Marks failed death saves; the third kills. A stable creature that is hurt is dying again. */
export function failDeathSaves(actor: Actor, count: number): Actor {
  const failure = Math.min(3, actor.deathSaves.failure + count);
  const failed: Actor = { ...actor, life: 'dying', deathSaves: { ...actor.deathSaves, failure } };
  return failure === 3 ? die(failed) : failed;
}

function die(actor: Actor): Actor {
  return {
    ...actor,
    life: 'dead',
    conditions: [],
    concentration: null,
    deathSaves: actor.kind === 'character' ? { ...actor.deathSaves, failure: 3 } : actor.deathSaves,
  };
}
