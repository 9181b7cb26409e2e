import { describe, expect, test } from 'vitest';
import { refusal, token } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';

describe('selecting', () => {
  test('adds to what is selected, or replaces it', () => {
    const world = createWorld();
    expect(world.answer('select', { name: 'cultist' }).selected).toEqual(['mira', 'cultist'].map(token));
    expect(world.answer('select', { name: 'Ghoul 2', overwrite: true }).selected).toEqual([token('ghoul-2')]);
  });

  test('by data at dotted paths', () => {
    const world = createWorld();
    const select = (data: object) => world.answer('select', { data, overwrite: true }).selected;
    expect(select({ 'actor.type': 'npc', hidden: false })).toEqual(
      ['ghoul', 'ghoul-2', 'cultist'].map(token),
    );
    expect(select({ 'actor.system.attributes.hp.value': 0 })).toEqual([token('theron')]);
    expect(select({ 'constructor.name': 'Object' })).toEqual([]);
  });

  test('`selected: true` acts for the first selected token’s actor', () => {
    const world = createWorld();
    world.answer('select', { uuids: [token('sable')], overwrite: true });
    expect(world.answer('modify-experience', { selected: true, amount: 1 }).data.actorUuid).toBe(
      'Actor.sable',
    );
    expect(() => world.answer('modify-experience', { selected: false, amount: 1 })).toThrow(
      refusal('invalid_parameters'),
    );
    world.perform({ kind: 'select', tokenUuids: [] });
    expect(() => world.answer('modify-experience', { selected: true, amount: 1 })).toThrow(
      refusal('nothing_selected'),
    );
  });
});
