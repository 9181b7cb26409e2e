import type { EventData } from '@tabletop-relay/module-sdk';
import { encounterDocument } from '../documents.ts';
import type { Combatant, Encounter, WorldState } from '../state.ts';
import type { Change } from './changes.ts';
import { changedThings, changesBetween } from './changes.ts';

type CombatEvent = EventData<'combat'>;

/** What listeners of the fights hear of a step. Each event has the whole order of initiative. */
export function combatEvents(before: WorldState, after: WorldState): CombatEvent[] {
  return changedEncounters(before, after).flatMap(eventsOf);
}

export const changedEncounters = (before: WorldState, after: WorldState): Change<Encounter>[] =>
  changedThings(before.encounters, after.encounters, ({ id }) => id);

export const changedCombatants = (before: Encounter, after: Encounter): Change<Combatant>[] =>
  changedThings(before.combatants, after.combatants, ({ id }) => id);

function eventsOf({ before, after }: Change<Encounter>): CombatEvent[] {
  if (!after) return before ? [told('end', before)] : [];
  if (!before) return [told('start', after)];
  const coming = changedCombatants(before, after).flatMap((change) => {
    if (change.before && change.after) return [];
    const combatant = change.after ?? change.before;
    return [{ ...told(change.after ? 'combatant-add' : 'combatant-remove', after), combatant }];
  });
  if (after.round !== before.round) return [...coming, told('round', after)];
  // Where a combatant joined or left, the number of the turn may change and the turn not.
  if (whoseTurn(after) !== whoseTurn(before)) return [...coming, told('turn', after)];
  if (coming.length > 0) return coming;
  const changes = changesBetween(documentOf(before), documentOf(after));
  return changes ? [{ ...told('update', after), changes }] : [];
}

function told(eventType: string, { id: encounterId, name, round, turn, started, combatants }: Encounter) {
  return { eventType, encounterId, name, round, turn, started, combatants };
}

const whoseTurn = ({ combatants, turn }: Encounter) => combatants[turn]?.id;

const documentOf = (encounter: Encounter) => encounterDocument(encounter, true);
