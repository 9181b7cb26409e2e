import { Refusal } from '../../refusal.ts';
import type { Actor } from '../../state.ts';
import type { D20Roll } from '../rolls/d20.ts';
import { failDeathSaves, heal } from './hit-points.ts';

export const deathSaveDc = 10;

/** Only a creature at 0 hit points that is neither stable nor dead rolls death saves. */
export function assertDying(actor: Actor): void {
  if (actor.life === 'dying') return;
  const reasons = { alive: 'has hit points left', stable: 'is stable', dead: 'is dead' };
  throw new Refusal(
    actor.life === 'dead' ? 'actor_dead' : 'actor_not_dying',
    `${actor.name} ${reasons[actor.life]}`,
  );
}

/**
 * SRD 5.1, Combat: Death Saving Throws. 10 or higher succeeds; the third success stabilises, the third failure
 * kills. A natural 1 is two failures; a natural 20 regains 1 hit point. Either end resets the counts but death.
 */
export function applyDeathSave(actor: Actor, roll: D20Roll): Actor {
  if (roll.natural === 20) return heal(actor, 1);
  if (roll.natural === 1) return failDeathSaves(actor, 2);
  if (roll.total < deathSaveDc) return failDeathSaves(actor, 1);
  const success = actor.deathSaves.success + 1;
  if (success < 3) return { ...actor, deathSaves: { ...actor.deathSaves, success } };
  return { ...actor, life: 'stable', deathSaves: { success: 0, failure: 0 } };
}
