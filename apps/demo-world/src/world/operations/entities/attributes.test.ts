import { describe, expect, test } from 'vitest';
import { actorOf, refusal, token } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const newTitles = (world: World) =>
  world
    .state()
    .chat.slice(1)
    .map(({ title }) => title);

describe('a number of a document', () => {
  test.each([
    ['increase', 5, 47],
    ['decrease', 5, 37],
    ['decrease', 42, 0],
    ['increase', -2, 40],
  ] as const)('is changed by %s of %i', (operation, amount, newValue) => {
    const world = createWorld({ seed: 1 });
    const call = { uuid: 'Actor.mira', attribute: 'system.currency.gp', amount };
    expect(world.answer(operation, call)).toEqual({
      results: [{ uuid: 'Actor.mira', attribute: 'system.currency.gp', oldValue: 42, newValue }],
      success: true,
    });
    expect(actorOf(world, 'Actor.mira').currency.gp).toBe(newValue);
  });

  test('is changed for all that are selected', () => {
    const world = createWorld({ seed: 1 });
    world.answer('select', { uuids: [token('mira'), token('borin')], overwrite: true });
    const moved = world.answer('increase', { selected: true, attribute: 'x', amount: 1 });
    expect(moved.results.map(({ uuid, newValue }) => [uuid, newValue])).toEqual([
      [token('mira'), 6],
      [token('borin'), 9],
    ]);
  });

  test.each([
    ['is no number', { uuid: 'Actor.mira', attribute: 'name' }, undefined, 'invalid_data'],
    ['is not there', { uuid: 'Actor.mira', attribute: 'system.nothing.value' }, undefined, 'invalid_data'],
    ['is another’s', { uuid: 'Actor.borin', attribute: 'system.currency.gp' }, 'Ben', 'permission_denied'],
    ['is of nothing', { uuid: 'Actor.nobody', attribute: 'x' }, undefined, 'entity_not_found'],
  ])('that %s stays as it is', (_what, reference, userId, code) => {
    const world = createWorld({ seed: 1 });
    const before = world.state();
    for (const operation of ['increase', 'decrease'] as const)
      expect(() => world.answer(operation, { ...reference, amount: 1 }, { userId })).toThrow(refusal(code));
    expect(world.state()).toBe(before);
  });

  test('of a selection that is empty is nobody’s', () => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'select', tokenUuids: [] });
    const call = { selected: true, attribute: 'x', amount: 1 };
    expect(() => world.answer('increase', call)).toThrow(refusal('nothing_selected'));
  });
});

describe('to kill', () => {
  test.each(['Actor.borin', token('borin')])(
    '%s takes its last hit point, and its place in the fight',
    (uuid) => {
      const world = createWorld({ seed: 1 });
      world.answer('update', { uuid: 'Actor.borin', data: { 'system.attributes.hp.temp': 20 } });
      expect(world.answer('kill', { uuid }).results).toEqual([
        { uuid, success: true, message: 'Borin Ironhand is dead' },
      ]);
      expect(actorOf(world, 'Actor.borin')).toMatchObject({
        life: 'dead',
        hitPoints: { value: 0, temp: 0 },
        concentration: null,
      });
      const [ambush] = world.state().encounters;
      expect(ambush?.combatants.filter(({ defeated }) => defeated).map(({ name }) => name)).toEqual([
        'Borin Ironhand',
      ]);
      expect(newTitles(world)).toEqual(['Borin Ironhand dies']);
      world.answer('kill', { uuid });
      expect(newTitles(world)).toHaveLength(1);
    },
  );

  test('takes one token of many, and who is dying', () => {
    const world = createWorld({ seed: 1 });
    world.answer('kill', { uuid: token('ghoul') });
    world.answer('kill', { uuid: 'Actor.theron' });
    const dead = world.state().actors.filter(({ life }) => life === 'dead');
    expect(dead.map(({ uuid }) => uuid)).toEqual(['Actor.theron', `${token('ghoul')}.Actor.ghoul`]);
  });

  test('what does not live is refused, and so is another’s character', () => {
    const world = createWorld({ seed: 1 });
    for (const uuid of ['Item.silver-key', 'Scene.crypt', 'Actor.mira.Item.dagger'])
      expect(() => world.answer('kill', { uuid })).toThrow(refusal('entity_not_found'));
    const asBen = { userId: 'Ben' };
    expect(() => world.answer('kill', { uuid: 'Actor.borin' }, asBen)).toThrow(refusal('permission_denied'));
    expect(world.answer('kill', { uuid: 'Actor.mira' }, asBen).results).toHaveLength(1);
  });
});
