import { describe, expect, test } from 'vitest';
import { token } from './look-up.ts';
import { stepEvents } from '../src/world/events/step-events.ts';
import type { WorldState } from '../src/world/state.ts';
import { createWorld } from '../src/world/world.ts';

/** What programs that were written for other worlds of this rules system ask for. */

test('the rules system has the id that programs ask for, wherever it is named', () => {
  const world = createWorld();
  expect(world.answer('world-info', {}).data.system.id).toBe('dnd5e');
  const { results } = world.answer('search', { query: 'dagger', filter: 'package:dnd5e.items' });
  expect(results).toMatchObject([{ uuid: 'Compendium.dnd5e.items.Item.dagger' }]);
  for (const uuid of ['Actor.mira', 'Actor.mira.Item.dagger'])
    expect(world.answer('entity', { uuid }).data).toMatchObject({ _stats: { systemId: 'dnd5e' } });
});

test('an actor has its prototype token, and keeps what is written to it', () => {
  const world = createWorld();
  const read = (uuid: string) =>
    (world.answer('entity', { uuid }).data as { prototypeToken: object }).prototypeToken;
  expect(read('Actor.mira')).toMatchObject({ name: 'Mira Thornwood', actorLink: true, disposition: 1 });
  expect(read('Actor.ghoul')).toMatchObject({ texture: { src: 'tokens/ghoul.svg' }, disposition: -1 });
  world.answer('update', { uuid: 'Actor.ghoul', data: { 'prototypeToken.disposition': 0 } });
  expect(read('Actor.ghoul')).toMatchObject({ name: 'Ghoul', disposition: 0 });
});

test('a token names its actor', () => {
  const { data } = createWorld().answer('entity', { uuid: token('mira') });
  expect(data).toMatchObject({ actorId: 'mira', actorLink: true, texture: { src: 'tokens/mira.svg' } });
});

describe('in whose name somebody speaks', () => {
  test.each([
    ['Actor.mira', { actor: 'mira', token: null, scene: null, alias: 'Mira Thornwood' }],
    [token('mira'), { actor: 'mira', token: 'mira', scene: 'chapel', alias: 'Mira Thornwood' }],
  ])('is told by ids in every list: %s', (speaker, told) => {
    const world = createWorld();
    expect(world.answer('chat-send', { content: 'Hi', speaker }).data).toMatchObject({ speaker: told });
    world.answer('chat-send', { content: 'Hi', speaker, alias: 'A voice' });
    const { messages } = world.answer('chat-messages', { limit: 1 }).data;
    expect(messages).toMatchObject([{ speaker: { ...told, alias: 'A voice' } }]);
    expect(world.answer('entity', { uuid: messages[0]!.uuid }).data).toMatchObject({
      speaker: { actor: 'mira' },
    });
  });

  test('with a roll too', () => {
    const world = createWorld();
    world.answer('ability-check', { actorUuid: 'Actor.mira', ability: 'int' });
    expect(world.answer('last-roll', {}).data).toMatchObject({ speaker: { actor: 'mira' } });
  });
});

describe('an actor’s UUID stands for its token on the scene', () => {
  test('that is moved', () => {
    const moved = createWorld().answer('move-token', { uuid: 'Actor.mira', x: 5, y: 6 });
    expect(moved.data).toMatchObject({ tokenUuid: token('mira'), x: 5, y: 6 });
  });

  test('that distances are measured from', () => {
    const { data } = createWorld().answer('measure-distance', {
      originUuid: 'Actor.mira',
      targetName: 'Ghoul',
    });
    expect(data.distance).toBe(45);
  });

  test('that joins and leaves an encounter', () => {
    const world = createWorld();
    const { encounterId } = world.answer('start-encounter', { tokenUuids: ['Actor.mira'] });
    const uuids = ['Actor.sable'];
    expect(world.answer('add-to-encounter', { encounterId, uuids }).added).toEqual([token('sable')]);
    expect(world.answer('remove-from-encounter', { encounterId, uuids }).removed).toEqual([token('sable')]);
  });
});

test.each([
  ['Actor', 'base'],
  ['Actor', 'vehicle'],
  ['Item', 'base'],
])('a document %s of the type %s is made, and has it', (entityType, type) => {
  const world = createWorld();
  const { uuid } = world.answer('create', { entityType, data: { name: 'Test', type } });
  expect(world.answer('entity', { uuid }).data).toMatchObject({ name: 'Test', type });
});

test('an item of an actor has the type that it was given', () => {
  const world = createWorld();
  const data = { items: [{ name: 'Lute', type: 'tool' }] };
  world.answer('update', { uuid: 'Actor.mira', data });
  const { items } = world.answer('entity', { uuid: 'Actor.mira' }).data as unknown as { items: object[] };
  expect(items.at(-1)).toMatchObject({ name: 'Lute', type: 'tool' });
});

test('a scene that is shown, renamed, made or deleted fires its hook, and a user too', () => {
  const world = createWorld();
  const before = world.state();
  world.answer('update-scene', { sceneId: 'crypt', data: { name: 'The flooded crypt', active: true } });
  const hooksOf = (from: WorldState) => stepEvents.hooks(from, world.state());
  expect(hooksOf(before).filter(({ hook }) => hook === 'updateScene')).toMatchObject([
    { args: [{ _id: 'chapel' }, { active: false }] },
    { args: [{ _id: 'crypt' }, { name: 'The flooded crypt', active: true }] },
  ]);
  const { data } = world.answer('create-scene', { data: { name: 'Attic' } });
  const made = world.state();
  world.answer('delete-scene', { sceneId: String(data['_id']) });
  world.answer('update-user', { id: 'ben', data: { color: '#123456' } });
  expect(hooksOf(made)).toMatchObject([
    { hook: 'deleteScene', args: [{ name: 'Attic' }] },
    { hook: 'updateUser', args: [{ _id: 'ben', name: 'Ben' }, { color: '#123456' }] },
  ]);
});
