import type { EventData } from '@tabletop-relay/module-sdk';
import { encounterDocument } from '../documents.ts';
import type { Combatant, Encounter, WorldState } from '../state.ts';
import type { Change } from './changes.ts';
import { changedThings, changesBetween } from './changes.ts';

type CombatEvent = EventData<'combat'>;

/** Events of the combat channel for one step. Each event has the whole order of initiative. */
export function combatEvents(before: WorldState, after: WorldState): CombatEvent[] {
  return changedEncounters(before, after).flatMap(eventsOf);
}

export const changedEncounters = (before: WorldState, after: WorldState): Change<Encounter>[] =>
  changedThings(before.encounters, after.encounters, ({ id }) => id);

export const changedCombatants = (before: Encounter, after: Encounter): Change<Combatant>[] =>
  changedThings(before.combatants, after.combatants, ({ id }) => id);

function eventsOf({ before, after }: Change<Encounter>): CombatEvent[] {
  if (!after) return before ? [fightEvent('end', before)] : [];
  if (!before) return [fightEvent('start', after)];
  const coming = changedCombatants(before, after).flatMap((change) => {
    if (change.before && change.after) return [];
    const combatant = change.after ?? change.before;
    return [{ ...fightEvent(change.after ? 'combatant-add' : 'combatant-remove', after), combatant }];
  });
  if (after.round !== before.round) return [...coming, fightEvent('round', after)];
  // Where a combatant joined or left, the number of the turn may change and the turn not.
  if (whoseTurn(after) !== whoseTurn(before)) return [...coming, fightEvent('turn', after)];
  if (coming.length > 0) return coming;
  const changes = changesBetween(documentOf(before), documentOf(after));
  return changes ? [{ ...fightEvent('update', after), changes }] : [];
}

function fightEvent(
  eventType: string,
  { id: encounterId, name, round, turn, started, combatants }: Encounter,
) {
  return { eventType, encounterId, name, round, turn, started, combatants };
}

const whoseTurn = ({ combatants, turn }: Encounter) => combatants[turn]?.id;

const documentOf = (encounter: Encounter) => encounterDocument(encounter, true);
