import { encounterDocument } from '../../documents.ts';
import type { Combatant, Encounter, WorldState } from '../../state.ts';
import { saveEncounter } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { findIn } from './document-room.ts';
import { countAt, flagAt, textAt } from './fields.ts';
import { mergeDocument } from '../merge.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Encounters. They are started by the operations for encounters, and here read, named and deleted. */
export const combatRoom: DocumentRoom = {
  list: (state, parent) => (parent === null ? state.encounters.map((one) => foundCombat(state, one)) : []),

  find: (state, uuid) => findIn(combatRoom.list(state, null), uuid),

  change(tx, uuid, changes) {
    const encounter = tx.state.encounters.find(({ id }) => `Combat.${id}` === uuid);
    if (encounter) saveEncounter(tx, { ...encounter, name: textAt(changes, 'name', encounter.name) });
  },

  remove(tx, uuid) {
    const encounters = tx.state.encounters.filter(({ id }) => `Combat.${id}` !== uuid);
    const { currentEncounterId: current } = tx.state;
    const isCurrent = encounters.some(({ id }) => id === current);
    tx.state = { ...tx.state, encounters, currentEncounterId: isCurrent ? current : null };
  },
};

/** Combatants. They join and leave by the operations for encounters. */
export const combatantRoom: DocumentRoom = {
  list(state, parent) {
    const encounter = state.encounters.find(({ id }) => `Combat.${id}` === parent);
    return encounter ? encounter.combatants.map((one) => foundCombatant(encounter, one)) : [];
  },

  find(state, uuid) {
    const parent = uuid.split('.').slice(0, 2).join('.');
    return findIn(combatantRoom.list(state, parent), uuid);
  },

  change(tx, uuid, changes) {
    const given = mergeDocument({}, changes);
    const encounter = tx.state.encounters.find(({ id }) => uuid.startsWith(`Combat.${id}.Combatant.`));
    if (!encounter) return;
    const combatants = encounter.combatants.map((one) =>
      uuid === `Combat.${encounter.id}.Combatant.${one.id}`
        ? {
            ...one,
            name: textAt(given, 'name', one.name),
            hidden: flagAt(given, 'hidden', one.hidden),
            defeated: flagAt(given, 'defeated', one.defeated),
            initiative:
              one.initiative === null
                ? null
                : countAt(given, 'initiative', one.initiative, { min: -100, max: 1000 }),
          }
        : one,
    );
    saveEncounter(tx, { ...encounter, combatants });
  },
};

function foundCombat(state: WorldState, encounter: Encounter): FoundDocument {
  const { id, ...rest } = encounterDocument(encounter, encounter.id === state.currentEncounterId);
  const uuid = `Combat.${id}`;
  return { kind: 'Combat', uuid, parent: null, data: { _id: id, uuid, ...rest } };
}

function foundCombatant(encounter: Encounter, { id, ...rest }: Combatant): FoundDocument {
  const parent = `Combat.${encounter.id}`;
  const uuid = `${parent}.Combatant.${id}`;
  return { kind: 'Combatant', uuid, parent, data: { _id: id, uuid, ...rest } };
}
