import type { ChannelDefinition } from '../channel-definition.ts';

export const rollsChannel = {
  summary: 'Follow the dice',
  description: 'Hidden rolls too: the module sends what a game master sees.',
  path: '/rolls/subscribe',
  frame: 'roll-data',
  wire: 'roll-events',
  filters: {
    userId: {
      type: 'text',
      description: 'Id or name of the user who rolled.',
      matches: ['user.id', 'user.name'],
    },
  },
  named: { prefix: 'roll' },
  events: { roll: 'Dice were rolled.' },
  data: {
    id: 'text',
    formula: 'text',
    rollTotal: 'number',
    user: 'object?',
    speaker: 'object?',
    flavor: 'text?',
    isCritical: 'flag?',
    isFumble: 'flag?',
    dice: 'list?',
  },
  repeated: 'data',
  example: {
    id: 'message-8',
    formula: '1d20 + 5',
    rollTotal: 19,
    user: { id: 'player-1', name: 'Ana' },
    speaker: { alias: 'Mira', actor: 'mira' },
    flavor: 'Perception',
    isCritical: false,
    isFumble: false,
    dice: [{ faces: 20, results: [{ result: 14, active: true }] }],
  },
} as const satisfies ChannelDefinition;
