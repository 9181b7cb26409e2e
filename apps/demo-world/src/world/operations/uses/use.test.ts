import { describe, expect, test } from 'vitest';
import { actorOf, itemOf, refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const ghoul = 'Scene.chapel.Token.ghoul.Actor.ghoul';

const use = (world: World, actorUuid: string, abilityName: string, targetUuid?: string) =>
  world.answer('use-ability', { actorUuid, abilityName, ...(targetUuid && { targetUuid }) }).data.result;

/** What was posted since the world was found. */
const newMessages = (world: World) => world.state().chat.slice(createWorld().state().chat.length);

describe('using things', () => {
  test('a spell takes a slot of its level, then of the next, and none is refused', () => {
    const world = createWorld({ seed: 1 });
    const slots = () => Object.values(actorOf(world, 'Actor.mira').spellSlots).map(({ value }) => value);
    for (const left of [[2, 3, 2], [1, 3, 2], [0, 3, 2], [0, 2, 2]]) {
      use(world, 'Actor.mira', 'Mage Armor');
      expect(slots()).toEqual(left);
    } // prettier-ignore
    for (let casts = 0; casts < 4; casts += 1) use(world, 'Actor.mira', 'Mage Armor');
    expect(() => use(world, 'Actor.mira', 'Mage Armor')).toThrow(refusal('no_uses_left'));
    use(world, 'Actor.mira', 'Fire Bolt');
    expect(slots()).toEqual([0, 0, 0]);
  });

  test('a fireball burns its target: 8d6, or half of it when the save succeeds', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const world = createWorld({ seed });
      use(world, 'Actor.mira', 'Fireball', ghoul);
      const [save, damage] = newMessages(world);
      const rolled = damage?.roll?.total ?? 0;
      const expected =
        save?.roll?.outcome === 'success' || save?.roll?.outcome === 'critical'
          ? Math.floor(rolled / 2)
          : rolled;
      expect(actorOf(world, ghoul).hitPoints.value).toBe(Math.max(0, 22 - expected));
    }
  });

  test('a weapon hurts only when it hits, and only the token that was meant', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const world = createWorld({ seed });
      use(world, 'Actor.sable', 'Shortsword', ghoul);
      const [attack] = newMessages(world);
      const hit = attack?.roll?.outcome === 'success' || attack?.roll?.outcome === 'critical';
      expect(actorOf(world, ghoul).hitPoints.value < 22).toBe(hit);
      expect(actorOf(world, 'Actor.ghoul').hitPoints.value).toBe(22);
    }
  });

  test('an attack tells its roll and its damage, die by die', () => {
    const world = createWorld({ seed: 1 });
    const { data } = world.answer('use-item', { actorUuid: 'Actor.sable', abilityName: 'Shortsword' });
    expect(data.roll).toMatchObject({
      total: expect.any(Number) as unknown,
      isCritical: expect.any(Boolean) as unknown,
      isFumble: expect.any(Boolean) as unknown,
      dice: [{ faces: 20, results: [{ active: true }] }],
    });
    expect(data.damageRolls).toMatchObject([{ type: 'piercing', dice: [{ faces: 6 }] }]);
    const potion = world.answer('use-item', { actorUuid: 'Actor.borin', abilityName: 'Potion of Healing' });
    expect(potion.data).not.toHaveProperty('roll');
    expect(potion.data).not.toHaveProperty('damageRolls');
  });

  test('a spell that needs no attack tells damage that is not critical', () => {
    const world = createWorld({ seed: 1 });
    const { data } = world.answer('use-spell', { actorUuid: 'Actor.mira', abilityName: 'Fireball' });
    expect(data).toMatchObject({ ability: 'Fireball', damageRolls: [{ type: 'fire', isCritical: false }] });
    expect(data.damageRolls?.[0]?.dice).toMatchObject([{ results: Array.from({ length: 8 }, () => ({})) }]);
  });

  test('without a target an attack is rolled with its damage and hurts nobody', () => {
    const world = createWorld();
    use(world, 'Actor.sable', 'Shortsword');
    expect(newMessages(world).map(({ title }) => title)).toEqual(['Shortsword', 'Shortsword: damage']);
    expect(
      world.state().actors.filter((one) => one.kind === 'npc' && one.hitPoints.value < one.hitPoints.max),
    ).toEqual([]);
  });

  test('a bow takes an arrow, a potion is drunk, a wand loses a charge', () => {
    const world = createWorld();
    use(world, 'Actor.sable', 'Shortbow');
    expect(itemOf(world, 'Actor.sable', 'arrow').quantity).toBe(16);
    use(world, 'Actor.borin', 'Potion of Healing', 'Scene.chapel.Token.theron');
    expect(itemOf(world, 'Actor.borin', 'potion-of-healing').quantity).toBe(1);
    expect(actorOf(world, 'Actor.theron')).toMatchObject({ life: 'alive', conditions: [] });
    use(world, 'Actor.mira', 'Wand of Magic Missiles', ghoul);
    expect(itemOf(world, 'Actor.mira', 'wand').charges?.value).toBe(6);
    expect(actorOf(world, ghoul).hitPoints.value).toBeLessThan(22 - 5);
  });

  test('an empty wand and an empty flask are refused', () => {
    const world = createWorld();
    world.answer('modify-item-charges', {
      actorUuid: 'Actor.mira',
      itemName: 'Wand of Magic Missiles',
      amount: -9,
    });
    expect(() => use(world, 'Actor.mira', 'Wand of Magic Missiles')).toThrow(refusal('no_uses_left'));
    use(world, 'Actor.mira', 'Potion of Healing');
    expect(() => use(world, 'Actor.mira', 'Potion of Healing')).toThrow(refusal('no_uses_left'));
  });

  test('SRD 5.1, Cleric: Preserve Life restores to half of the maximum at most; Disciple of Life adds 2 + level', () => {
    const world = createWorld();
    use(world, 'Actor.borin', 'Channel Divinity: Preserve Life', 'Actor.theron');
    expect(actorOf(world, 'Actor.theron').hitPoints.value).toBe(22);
    use(world, 'Actor.borin', 'Healing Word', 'Actor.sable');
    // 1d4 + 3 wisdom + 3.
    const { roll } = world.state().chat.at(-1) ?? {};
    expect(roll?.formula).toBe('1d4 + 6');
    expect(actorOf(world, 'Actor.sable').hitPoints.value).toBe(17 + (roll?.total ?? 0));
  });

  test('SRD 5.1, Wizard: Arcane Recovery returns slots of three levels, the highest first', () => {
    const world = createWorld();
    for (const spell of ['Fireball', 'Misty Step', 'Mage Armor']) use(world, 'Actor.mira', spell);
    use(world, 'Actor.mira', 'Arcane Recovery');
    const slots = Object.values(actorOf(world, 'Actor.mira').spellSlots).map(({ value }) => value);
    expect(slots).toEqual([2, 2, 2]);
    expect(() => use(world, 'Actor.mira', 'Arcane Recovery')).toThrow(refusal('no_uses_left'));
  });

  test('who is at 0 hit points can’t act', () => {
    expect(() => use(createWorld(), 'Actor.theron', 'Second Wind')).toThrow(refusal('incapacitated'));
  });

  test('each kind is found by its own operation', () => {
    const world = createWorld();
    const named = (abilityName: string) => ({ actorUuid: 'Actor.mira', abilityName });
    expect(() => world.answer('use-item', named('Fire Bolt'))).toThrow(refusal('entity_not_found'));
    expect(() => world.answer('use-spell', named('Dagger'))).toThrow(refusal('entity_not_found'));
    expect(() => world.answer('use-feature', named('Dagger'))).toThrow(refusal('entity_not_found'));
  });
});
