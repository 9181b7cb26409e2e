import type { ChannelDefinition } from '../channel-definition.ts';

export const combatChannel = {
  summary: 'Follow combat encounters',
  path: '/encounters/subscribe',
  frame: 'combat-event',
  wire: 'combat-events',
  filters: {
    encounterId: {
      type: 'text',
      description: 'Id of one encounter; all when left out.',
      matches: ['encounterId'],
    },
  },
  named: { prefix: 'combat-', field: 'eventType' },
  events: {
    'combat-start': 'An encounter began.',
    'combat-turn': 'The turn changed.',
    'combat-round': 'The round changed.',
    'combat-update': 'Something else of the encounter changed.',
    'combat-combatant-add': 'A combatant was added.',
    'combat-combatant-remove': 'A combatant was removed.',
    'combat-end': 'The encounter ended.',
  },
  data: { eventType: 'text', encounterId: 'text', round: 'number?', turn: 'number?' },
  repeated: 'data',
  example: { eventType: 'turn', encounterId: 'ambush', round: 2, turn: 1 },
} as const satisfies ChannelDefinition;
