import { describe, expect, test } from 'vitest';
import { actorOf, refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const use = (world: World, actorUuid: string, abilityName: string, targetUuid?: string) =>
  world.answer('use-ability', { actorUuid, abilityName, ...(targetUuid && { targetUuid }) }).data.result;

describe('SRD 5.1, Spellcasting: Concentration', () => {
  const concentration = (world: World, actorName: string) =>
    world.answer('get-concentration', { actorName }).data.spell;

  test('a new spell that asks for it ends the old', () => {
    const world = createWorld();
    expect(concentration(world, 'Borin Ironhand')).toBe('Bless');
    use(world, 'Actor.borin', 'Spirit Guardians');
    expect(concentration(world, 'Borin Ironhand')).toBe('Spirit Guardians');
  });

  test.each([[0, 10], [21, 10], [22, 11], [43, 21]])('%i damage asks for DC %i', (damage, dc) => {
    const saved = createWorld().answer('concentration-save', { actorUuid: 'Actor.borin', damage }).data;
    expect(saved.dc).toBe(dc);
    expect(saved.maintained).toBe((saved.total ?? 0) >= dc);
  }); // prettier-ignore

  test('a failed save ends it, a kept one does not', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const world = createWorld({ seed });
      const { maintained } = world.answer('concentration-save', { actorUuid: 'Actor.borin', damage: 1 }).data;
      expect(concentration(world, 'Borin Ironhand')).toBe(maintained ? 'Bless' : null);
    }
  });

  test('damage calls for the save by itself, and falling unconscious ends it', () => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'damage', actorUuid: 'Actor.borin', amount: 3 });
    expect(world.state().chat.at(-1)?.title).toBe('Concentration save');
    world.perform({ kind: 'damage', actorUuid: 'Actor.borin', amount: 40 });
    expect(concentration(world, 'Borin Ironhand')).toBeNull();
  });

  test('what it keeps up ends with it', () => {
    const world = createWorld();
    use(world, 'Actor.mira', 'Invisibility', 'Actor.sable');
    expect(actorOf(world, 'Actor.sable').conditions).toEqual(['invisible']);
    const broken = world.answer('break-concentration', { actorUuid: 'Actor.mira' }).data;
    expect(broken).toMatchObject({ broken: true, removedEffectId: expect.any(String) as string });
    expect(actorOf(world, 'Actor.sable').conditions).toEqual([]);
    expect(world.answer('break-concentration', { actorUuid: 'Actor.mira' }).data).toEqual({
      actorUuid: 'Actor.mira',
      broken: false,
    });
  });

  test('without it the save is rolled and nothing is maintained', () => {
    const save = { actorUuid: 'Actor.mira', damage: 0, bonus: '20' };
    const { data } = createWorld().answer('concentration-save', save);
    expect(data).toMatchObject({ dc: 10, isConcentrating: false, maintained: false });
    expect(data.total).toBeGreaterThan(20);
  });

  test('one who loses it had it, which tells a failed save from none', () => {
    const save = { actorUuid: 'Actor.borin', damage: 200 };
    const { data } = createWorld().answer('concentration-save', save);
    expect(data).toMatchObject({ dc: 100, isConcentrating: true, maintained: false });
  });

  test('damage is not negative', () => {
    const save = { actorUuid: 'Actor.borin', damage: -1 };
    expect(() => createWorld().answer('concentration-save', save)).toThrow(refusal('invalid_parameters'));
  });
});
