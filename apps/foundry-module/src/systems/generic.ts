import type { OperationResult } from '@tabletop-relay/module-sdk';
import { findOwnActor } from '../operations/acting.ts';
import type { RulesSystem } from './system.ts';

type Details = OperationResult<'get-actor-details'>['data'];

/** What any actor has, whatever its rules: items, effects, a name and a picture. */
export const generic: RulesSystem = {
  id: 'generic',
  matches: () => true,
  operations: {
    async 'get-actor-details'({ actorUuid, details }, { user }) {
      const actor = await findOwnActor(user, { actorUuid });
      const { uuid, name, img } = actor;
      const data: Details = { uuid };
      if (details.includes('items')) {
        data.items = actor.items.map((item) => item.toObject()) as unknown as NonNullable<Details['items']>;
      }
      if (details.includes('stats')) data.stats = { name, img, uuid };
      if (details.includes('conditions')) {
        data.conditions = actor.effects.map((effect) => ({ id: effect.id, name: effect.name }));
      }
      return { data };
    },
  },
};
