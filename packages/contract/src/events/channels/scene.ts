import type { ChannelDefinition } from '../channel-definition.ts';

export const sceneChannel = {
  summary: 'Follow scenes and what stands on them',
  path: '/scene/subscribe',
  frame: 'scene-event',
  wire: 'scene-events',
  filters: {
    sceneId: { type: 'text', description: 'Id of one scene; all when left out.', matches: ['sceneId'] },
  },
  named: { prefix: 'scene-', field: 'eventType' },
  events: {
    'scene-scene-activate': 'The scene became the active one.',
    'scene-token-create': 'A token was placed.',
    'scene-token-update': 'A token moved or changed.',
    'scene-token-delete': 'A token was removed.',
    'scene-light-create': 'A light was placed; likewise `scene-light-update` and `scene-light-delete`.',
    'scene-light-update': 'A light changed.',
    'scene-light-delete': 'A light was removed.',
    'scene-wall-create': 'A wall was placed; likewise `scene-wall-update` and `scene-wall-delete`.',
    'scene-wall-update': 'A wall changed.',
    'scene-wall-delete': 'A wall was removed.',
  },
  data: { eventType: 'text', sceneId: 'text', changes: 'object?' },
  repeated: 'data',
  example: { eventType: 'token-update', sceneId: 'chapel', tokenId: 'mira', changes: { x: 1200, y: 800 } },
} as const satisfies ChannelDefinition;
