import { abilitiesOf, conditionsOf, itemDocuments, skillsOf, spellSlotsOf } from '../documents.ts';
import type { Document } from '../document.ts';
import { resourcesOf } from '../rules/resources.ts';
import { userRecord } from '../store/rooms/user-room.ts';
import type { Actor } from '../state.ts';
import { characterOf, statsOf } from './actors/details.ts';
import { findOwnActor } from './find.ts';
import type { OperationHandlers } from './handler.ts';

export const reading: OperationHandlers<'get-actor-details' | 'players' | 'world-info'> = {
  'get-actor-details'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const wanted = parameters.details.flatMap((detail) => [
      [detail, details[detail](actor)] as const,
      ...Object.entries(besides[detail]?.(actor) ?? {}),
    ]);
    // The contract types each detail; which of them are there is known only now.
    return { data: { uuid: actor.uuid, ...Object.fromEntries(wanted) } };
  },

  players: (tx) => ({ users: tx.state.users.map(userRecord) }),

  'world-info'(tx) {
    const { world, system, tabletopVersion, modules, users, scenes, activeSceneId } = tx.state;
    const scene = scenes.find(({ id }) => id === activeSceneId);
    return {
      data: {
        world,
        system,
        tabletopVersion,
        foundryVersion: tabletopVersion,
        modules: [...modules],
        users: users.map(userRecord),
        activeScene: scene ? { id: scene.id, name: scene.name } : null,
      },
    };
  },
};

const details = {
  resources: resourcesOf,
  spells: (actor: Actor) => itemsOf(actor, (type) => type === 'spell'),
  features: (actor: Actor) => itemsOf(actor, (type) => type === 'feat'),
  items: (actor: Actor) => itemsOf(actor, (type) => type !== 'spell' && type !== 'feat'),
  stats: statsOf,
  abilities: abilitiesOf,
  skills: skillsOf,
  details: characterOf,
  conditions: conditionsOf,
};

/** Fields that some details add. */
const besides: Partial<Record<keyof typeof details, (actor: Actor) => Document>> = {
  spells: (actor) => ({ spellSlots: spellSlotsOf(actor) }),
  conditions: ({ concentration }) => ({
    concentration: concentration ? { active: true, name: concentration.spell } : { active: false },
  }),
};

function itemsOf(actor: Actor, wanted: (type: unknown) => boolean): Document[] {
  return itemDocuments(actor).filter(({ type }) => wanted(type));
}
