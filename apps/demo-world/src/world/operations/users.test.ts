import { describe, expect, test } from 'vitest';
import { refusal } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';

const ben = {
  id: 'ben',
  name: 'Ben',
  role: 1,
  isGM: false,
  active: true,
  color: '#4f7cac',
  avatar: 'avatars/ben.svg',
  character: null,
};

describe('a user', () => {
  test('is told with their character, by id or by name in any letters', () => {
    const world = createWorld({ seed: 1 });
    for (const reference of [{ id: 'ben' }, { name: 'bEN' }])
      expect(world.answer('get-user', reference).data).toEqual(ben);
    expect(world.answer('get-users', {}).data.map(({ id }) => id)).toEqual(['ada', 'ben', 'cleo', 'dev']);
    for (const reference of [{ id: 'Ben' }, { name: 'Bennet' }])
      expect(() => world.answer('get-user', reference)).toThrow(refusal('entity_not_found'));
  });

  test('that is made is a player without a character, unless more is said', () => {
    const world = createWorld({ seed: 1 });
    const create = (more: object) => world.answer('create-user', { name: 'Eve', ...more }).data;
    const made = create({});
    expect(made).toEqual({
      id: expect.stringMatching(/^\w{16}$/) as string,
      name: 'Eve',
      role: 1,
      isGM: false,
      active: false,
      color: '#8a8a8a',
      avatar: 'avatars/user.svg',
      character: null,
    });
    for (const character of ['mira', 'Actor.mira'])
      expect(create({ name: `${character}’s`, character, role: 2 })).toMatchObject({
        character: 'mira',
        role: 2,
      });
    expect(() => create({ name: 'Fay', character: 'nobody' })).toThrow(refusal('entity_not_found'));
    expect(() => create({ name: 'BEN' })).toThrow(refusal('already_exists'));
  });

  test.each([
    [0, false],
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ])('of the role %i is a game master: %s', (role, isGM) => {
    const world = createWorld({ seed: 1 });
    expect(world.answer('update-user', { id: 'ben', data: { role } }).data).toEqual({ ...ben, role, isGM });
  });

  test('changes what is written of them, as long as no other has the name', () => {
    const world = createWorld({ seed: 1 });
    const change = (data: object) => world.answer('update-user', { name: 'ben', data }).data;
    const written = { color: '#000000', avatar: 'a.svg', character: 'mira' };
    expect(change({ ...written, role: 9 })).toEqual({ ...ben, ...written, role: 4, isGM: true });
    expect(change({ color: 5, avatar: null, role: 1, character: 7 })).toEqual({
      ...ben,
      color: '#000000',
      avatar: 'a.svg',
    });
    expect(() => change({ name: 'CLEO' })).toThrow(refusal('already_exists'));
    expect(change({ name: 'BEN' })).toMatchObject({ id: 'ben', name: 'BEN' });
    expect(world.answer('get-user', { id: 'cleo' }).data).toMatchObject({ name: 'Cleo' });
  });

  test('goes, but not by their own hand and not the last game master', () => {
    const world = createWorld({ seed: 1 });
    expect(() => world.answer('delete-user', { name: 'Ada' }, { userId: 'Ada' })).toThrow(
      refusal('not_supported'),
    );
    expect(() => world.answer('delete-user', { name: 'Ada' })).toThrow(refusal('last_game_master'));
    world.answer('update-user', { id: 'ben', data: { role: 3 } });
    expect(() => world.answer('delete-user', { id: 'ada' })).toThrow(refusal('last_game_master'));
    expect(world.answer('delete-user', { id: 'ben' }, { userId: 'Ada' })).toEqual({ success: true });
    expect(world.state().users.map(({ id }) => id)).toEqual(['ada', 'cleo', 'dev']);
  });
});

test.each([
  ['get-users', {}],
  ['get-user', { id: 'ben' }],
  ['create-user', { name: 'Eve' }],
  ['update-user', { id: 'ben', data: { name: 'B' } }],
  ['delete-user', { id: 'cleo' }],
] as const)('%s is for game masters', (operation, parameters) => {
  const world = createWorld({ seed: 1 });
  const before = world.state();
  expect(() => world.answer(operation, parameters, { userId: 'Ben' })).toThrow(refusal('permission_denied'));
  expect(world.state()).toBe(before);
});
