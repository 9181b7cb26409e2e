import type { ChannelDefinition } from '../channel-definition.ts';

export const actorChannel = {
  summary: 'Follow one actor, or all of them',
  path: '/actor/subscribe',
  frame: 'actor-event',
  wire: 'actor-events',
  filters: {
    actorUuid: {
      type: 'text',
      description: 'The actor, for example `Actor.mira`; all actors when left out, or by `*`.',
      everything: '*',
      matches: ['actorUuid'],
    },
  },
  named: { prefix: 'actor-', field: 'eventType' },
  events: {
    'actor-update': 'Something of the actor changed.',
    'actor-item-add': 'An item came to the actor.',
    'actor-item-update': 'An item of the actor changed.',
    'actor-item-remove': 'An item left the actor.',
    'actor-effect-add': 'An effect began on the actor.',
    'actor-effect-remove': 'An effect on the actor ended.',
  },
  data: { eventType: 'text', actorUuid: 'text', changes: 'object?' },
  repeated: 'data',
  example: {
    eventType: 'update',
    actorUuid: 'Actor.mira',
    changes: { system: { attributes: { hp: { value: 21 } } } },
  },
} as const satisfies ChannelDefinition;
