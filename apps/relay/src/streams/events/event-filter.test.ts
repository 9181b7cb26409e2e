import { channels } from '@tabletop-relay/contract';
import { expect, it } from 'vitest';
import { createEventFilter } from './event-filter.ts';

it.each([
  ['hooks', { hooks: ['updateActor', 'createItem'] }, 'createItem', { hook: 'createItem' }, true],
  ['hooks', { hooks: ['updateActor'] }, 'createItem', { hook: 'createItem' }, false],
  ['combat', { encounterId: 'a' }, 'combat-turn', { encounterId: 'a' }, true],
  ['combat', { encounterId: 'a' }, 'combat-turn', { encounterId: 'b' }, false],
  ['combat', { encounterId: 'a' }, 'combat-turn', {}, false],
  ['actor', { actorUuid: 'Actor.mira' }, 'actor-update', { actorUuid: 'Actor.mira' }, true],
  ['actor', { actorUuid: 'Actor.mira' }, 'actor-update', { actorUuid: 'Actor.borin' }, false],
  ['scene', { sceneId: 'chapel' }, 'scene-token-update', { sceneId: 'crypt' }, false],
  ['chat', { speaker: 'Mira' }, 'chat-create', { data: { speaker: { alias: 'Mira' } } }, true],
  ['chat', { speaker: 'mira' }, 'chat-create', { data: { speaker: { actor: 'mira' } } }, true],
  ['chat', { speaker: 'Mira' }, 'chat-create', { data: { speaker: null } }, false],
  ['chat', { speaker: 'Mira' }, 'chat-delete', { data: { id: '1' } }, true],
  ['chat', { chatType: 4 }, 'chat-create', { data: { type: 4 } }, true],
  ['chat', { chatType: 4 }, 'chat-create', { data: { type: 'base', style: 4 } }, true],
  [
    'chat',
    { chatType: 4, userId: 'Ana' },
    'chat-create',
    { data: { type: 4, author: { name: 'Ben' } } },
    false,
  ],
  [
    'chat',
    { chatType: 4, userId: 'Ana' },
    'chat-create',
    { data: { type: 4, author: { name: 'Ana' } } },
    true,
  ],
  ['rolls', { userId: 'player-1' }, 'roll', { user: { id: 'player-1' } }, true],
  ['rolls', { userId: 'player-1' }, 'roll', { user: ['player-1'] }, false],
  ['rolls', { userId: '[object Object]' }, 'roll', { user: { id: {} } }, false],
] as const)('on %s the filter %j lets %s %j pass: %s', (channel, values, name, data, passes) => {
  expect(createEventFilter(channels[channel], values)?.(name, data)).toBe(passes);
});

it('without a value everything passes unread', () => {
  expect(createEventFilter(channels.chat, {})).toBeUndefined();
});

it('the members of a text are no members of an event', () => {
  const definition = { filters: { length: { matches: ['name.length'] } } } as never;
  expect(createEventFilter(definition, { length: 4 })?.('event', { name: 'Mira' })).toBe(false);
});
