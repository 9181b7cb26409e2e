import { describe, expect, test } from 'vitest';
import { actorOf, refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const use = (world: World, actorUuid: string, abilityName: string, targetUuid?: string) =>
  world.answer('use-ability', { actorUuid, abilityName, ...(targetUuid && { targetUuid }) });
const write = (world: World, uuid: string, data: object) => world.answer('update', { uuid, data });
const lastMessage = (world: World) => world.state().chat.at(-1);
const borin = 'Actor.borin';

describe('healing', () => {
  test.each([
    [1, '1d8 + 6'],
    [2, '1d8 + 1d8 + 7'],
    [3, '1d8 + 1d8 + 1d8 + 8'],
  ])('by a slot of the level %i is more: %s', (level, formula) => {
    const world = createWorld({ seed: 1 });
    for (let lower = 1; lower < level; lower += 1)
      write(world, borin, { [`system.spells.spell${lower}.value`]: 0 });
    use(world, borin, 'Cure Wounds', 'Actor.theron');
    expect(lastMessage(world)?.roll?.formula).toBe(formula);
    const total = lastMessage(world)?.roll?.total;
    expect(actorOf(world, 'Actor.theron').hitPoints.value).toBe(total);
    expect(lastMessage(world)).toMatchObject({
      speaker: 'Borin Ironhand',
      title: 'Cure Wounds',
      text: `Theron Vale regains ${total} hit points`,
    });
  });

  test('goes to oneself where nobody is named, and no further than the maximum', () => {
    const world = createWorld({ seed: 1 });
    write(world, borin, { 'system.attributes.hp.value': 42 });
    use(world, borin, 'Potion of Healing');
    expect(actorOf(world, borin).hitPoints.value).toBe(43);
    expect(lastMessage(world)).toMatchObject({ text: 'Borin Ironhand regains 1 hit points' });
    expect(lastMessage(world)?.roll?.formula).toBe('2d4 + 2');
  });

  test('by a staff has the caster’s modifier, and no feature for spells', () => {
    const world = createWorld({ seed: 1 });
    use(world, borin, 'Staff of Healing', 'Actor.sable');
    expect(lastMessage(world)?.roll?.formula).toBe('1d8 + 3');
  });

  test.each([
    [17, 19],
    [20, 20],
    [38, 38],
  ])('that reaches half of the maximum of 38 alone leads from %i to %i', (value, after) => {
    const world = createWorld({ seed: 1 });
    write(world, 'Actor.sable', { 'system.attributes.hp.value': value });
    use(world, borin, 'Channel Divinity: Preserve Life', 'Actor.sable');
    expect(actorOf(world, 'Actor.sable').hitPoints.value).toBe(after);
    expect(lastMessage(world)).toMatchObject({ text: `Sable Quickfoot regains ${after - value} hit points` });
  });
});

describe('other aid', () => {
  test('stabilises who is dying, and nobody else', () => {
    const world = createWorld({ seed: 1 });
    for (const target of [undefined, 'Actor.mira'])
      expect(() => use(world, borin, 'Spare the Dying', target)).toThrow(refusal('invalid_target'));
    world.answer('death-save', { actorUuid: 'Actor.theron' });
    use(world, borin, 'Spare the Dying', 'Actor.theron');
    expect(actorOf(world, 'Actor.theron')).toMatchObject({
      life: 'stable',
      hitPoints: { value: 0 },
      deathSaves: { success: 0, failure: 0 },
    });
    expect(lastMessage(world)).toMatchObject({ text: 'Theron Vale is stable' });
    expect(() => use(world, borin, 'Spare the Dying', 'Actor.theron')).toThrow(refusal('invalid_target'));
  });

  test('ends one condition, the worst first, and is not spent where there is none', () => {
    const world = createWorld({ seed: 1 });
    const before = world.state();
    expect(() => use(world, borin, 'Lesser Restoration', 'Actor.mira')).toThrow(refusal('invalid_target'));
    expect(world.state()).toBe(before);
    for (const statusId of ['poisoned', 'paralyzed', 'prone'])
      world.answer('add-effect', { uuid: 'Actor.mira', statusId });
    use(world, borin, 'Lesser Restoration', 'Actor.mira');
    expect(actorOf(world, 'Actor.mira').conditions).toEqual(['poisoned', 'prone']);
    expect(lastMessage(world)).toMatchObject({ text: 'Mira Thornwood is no longer paralyzed' });
    world.answer('add-effect', { uuid: borin, statusId: 'deafened' });
    use(world, borin, 'Lesser Restoration');
    expect(actorOf(world, borin).conditions).toEqual([]);
  });

  test('makes oneself invisible where nobody is named', () => {
    const world = createWorld({ seed: 1 });
    use(world, 'Actor.mira', 'Invisibility');
    expect(actorOf(world, 'Actor.mira')).toMatchObject({ conditions: ['invisible'] });
    expect(lastMessage(world)).toMatchObject({ text: 'Mira Thornwood is invisible' });
  });

  test('returns slots as far as they are spent, none above the levels that it has', () => {
    const world = createWorld({ seed: 1 });
    write(world, 'Actor.mira', {
      'system.spells': { spell1: { value: 0 }, spell2: { value: 3 }, spell3: { value: 2 } },
    });
    use(world, 'Actor.mira', 'Arcane Recovery');
    const slots = Object.values(actorOf(world, 'Actor.mira').spellSlots).map(({ value }) => value);
    expect(slots).toEqual([3, 3, 2]);
    expect(lastMessage(world)).toMatchObject({ text: 'Spell slots of 3 levels recovered' });
    const rested = createWorld({ seed: 1 });
    use(rested, 'Actor.mira', 'Arcane Recovery');
    expect(lastMessage(rested)).toMatchObject({ text: 'Spell slots of 1 levels recovered' });
  });

  test('without an effect of the rules shows its card', () => {
    const world = createWorld({ seed: 1 });
    use(world, 'Actor.mira', 'Sculpt Spells');
    expect(lastMessage(world)).toMatchObject({
      title: 'Sculpt Spells',
      text: 'Allies can be spared from your evocations.',
    });
  });
});
