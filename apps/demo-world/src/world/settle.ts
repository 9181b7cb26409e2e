import { endConcentration } from './rules/health/concentration.ts';
import { isIncapacitated, withoutCondition } from './rules/health/conditions.ts';
import type { Actor, WorldState } from './state.ts';

/**
 * The consequences that follow by themselves from a step: the helpless lose their concentration (SRD 5.1, Spellcasting: Concentration),
 * what was kept up by it ends, and combatants are defeated as long as their actors are dead.
 */
export function settle(before: WorldState, after: WorldState): WorldState {
  if (after.actors === before.actors) return after;
  const actors = release(
    before.actors,
    after.actors.map((actor) => (isIncapacitated(actor) ? endConcentration(actor) : actor)),
  );
  return { ...after, actors, encounters: markDefeated(after, actors) };
}

/** Ends the conditions of concentration that has ended. */
function release(before: readonly Actor[], after: readonly Actor[]): readonly Actor[] {
  const kept = new Set(after.map(({ concentration }) => concentration?.id));
  const ended = before.flatMap(({ concentration }) =>
    concentration && !kept.has(concentration.id) ? concentration.imposed : [],
  );
  if (ended.length === 0) return after;
  return after.map((actor) =>
    ended
      .filter(({ actorUuid }) => actorUuid === actor.uuid)
      .reduce((freed, { condition }) => withoutCondition(freed, condition), actor),
  );
}

function markDefeated({ encounters }: WorldState, actors: readonly Actor[]): WorldState['encounters'] {
  const dead = new Map(actors.map(({ uuid, life }) => [uuid, life === 'dead']));
  const isWrong = (one: { actorUuid: string; defeated: boolean }) =>
    dead.get(one.actorUuid) === true && !one.defeated;
  if (!encounters.some(({ combatants }) => combatants.some(isWrong))) return encounters;
  return encounters.map((encounter) => ({
    ...encounter,
    combatants: encounter.combatants.map((one) => (isWrong(one) ? { ...one, defeated: true } : one)),
  }));
}
