import type { ChannelDefinition } from '../channel-definition.ts';

export const hooksChannel = {
  summary: 'Follow the tabletop’s hooks',
  description:
    'Everything that the module reports of the tabletop’s hooks, with the arguments that the tabletop gave. Which hooks those are is the module’s choice.',
  path: '/hooks/subscribe',
  frame: 'hook-event',
  wire: 'hooks',
  filters: {
    hooks: {
      type: 'names',
      description: 'Names of hooks with commas between them; all hooks when left out.',
      matches: ['hook'],
    },
  },
  named: { prefix: '', field: 'hook' },
  events: {
    createActor: 'An actor was created; likewise `updateActor` and `deleteActor`.',
    updateActor: 'An actor changed.',
    deleteActor: 'An actor was deleted.',
    createItem: 'An item was created; likewise `updateItem` and `deleteItem`.',
    updateItem: 'An item changed.',
    deleteItem: 'An item was deleted.',
    createToken: 'A token was placed; likewise `updateToken` and `deleteToken`.',
    updateToken: 'A token moved or changed.',
    deleteToken: 'A token was removed.',
    controlToken: 'A token was selected or released; the second argument tells which.',
    createCombat: 'An encounter was created; likewise `updateCombat` and `deleteCombat`.',
    updateCombat: 'An encounter changed.',
    deleteCombat: 'An encounter ended.',
    combatStart: 'An encounter began.',
    combatTurn: 'The turn changed.',
    combatRound: 'The round changed.',
    createChatMessage: 'A chat message was posted.',
    updateScene: 'A scene changed, or became the active one.',
    canvasReady: 'A scene was drawn.',
  },
  data: { hook: 'text', args: 'list' },
  repeated: 'data',
  example: {
    hook: 'updateActor',
    args: [{ _id: 'mira', name: 'Mira' }, { system: { attributes: { hp: { value: 21 } } } }],
  },
} as const satisfies ChannelDefinition;
