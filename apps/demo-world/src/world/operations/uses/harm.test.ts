import { describe, expect, test } from 'vitest';
import { actorOf, refusal, token } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const use = (world: World, actorUuid: string, abilityName: string, targetUuid?: string) =>
  world.answer('use-ability', { actorUuid, abilityName, ...(targetUuid && { targetUuid }) }).data;
const messages = (world: World) => world.state().chat.slice(1);
const texts = (world: World) => messages(world).map(({ text }) => text);
const seeds = Array.from({ length: 40 }, (_, seed) => seed);
const ghoul = `${token('ghoul')}.Actor.ghoul`;

describe('an attack', () => {
  test('says whom it meets and how it went, by the armor class', () => {
    const seen = new Set<string>();
    for (const seed of seeds) {
      const world = createWorld({ seed });
      const { roll } = use(world, 'Actor.sable', 'Shortsword', ghoul);
      const verdict = roll!.isCritical
        ? ': a critical hit'
        : roll!.total >= 12 && !roll!.isFumble
          ? ': hit'
          : ': miss';
      const [attack, damage] = messages(world);
      expect(attack).toMatchObject({ title: 'Shortsword', text: `Attack against Ghoul (AC 12)${verdict}` });
      expect(attack?.roll?.outcome).toBe(
        roll!.isCritical
          ? 'critical'
          : roll!.isFumble
            ? 'fumble'
            : verdict === ': hit'
              ? 'success'
              : 'failure',
      );
      const told = `Ghoul takes ${damage?.roll?.total} piercing`;
      expect(damage?.text).toBe(verdict === ': miss' ? undefined : told);
      seen.add(verdict);
    }
    expect(seen.size).toBe(3);
  });

  test('without a target is rolled with its damage, and says nothing of a hit', () => {
    const world = createWorld({ seed: 1 });
    const { damageRolls } = use(world, 'Actor.sable', 'Shortsword');
    expect(texts(world)).toEqual(['Attack', 'piercing']);
    expect(damageRolls).toHaveLength(1);
  });

  test('is the end of being invisible', () => {
    const world = createWorld({ seed: 1 });
    world.answer('add-effect', { uuid: 'Actor.sable', statusId: 'invisible' });
    use(world, 'Actor.sable', 'Shortsword');
    expect(actorOf(world, 'Actor.sable').conditions).toEqual([]);
  });

  const clawed = (target: string) =>
    seeds.flatMap((seed) => {
      const world = createWorld({ seed });
      use(world, ghoul, 'Claws', target);
      const save = messages(world).find(({ title }) => title === 'Saving throw against being paralyzed');
      const { conditions, life } = actorOf(world, target);
      return save ? [{ save, isParalyzed: conditions.includes('paralyzed'), life }] : [];
    });

  test('with a ghoul’s claws may paralyse who is hit and stands', () => {
    const saves = clawed('Actor.sable');
    for (const { save, isParalyzed, life } of saves) {
      expect(save).toMatchObject({ speaker: 'Sable Quickfoot', text: 'DC 10' });
      expect([isParalyzed, life]).toEqual([save.roll!.total < 10, 'alive']);
    }
    expect(new Set(saves.map(({ isParalyzed }) => isParalyzed)).size).toBe(2);
  });

  test.each(['Actor.mira', `${token('ghoul-2')}.Actor.ghoul`])(
    'with a ghoul’s claws paralyses neither elves nor undead: %s',
    (target) => {
      expect(clawed(target)).toEqual([]);
    },
  );
});

describe('a save', () => {
  test('is asked for without a target, and the damage rolled', () => {
    const world = createWorld({ seed: 1 });
    use(world, 'Actor.mira', 'Fireball');
    expect(texts(world)).toEqual(['DC 15 dex save', 'fire']);
  });

  test.each([
    ['Fireball', 'Actor.mira', 'half', 'fire'],
    ['Sacred Flame', 'Actor.borin', 'none', 'radiant'],
  ])('against %s of %s leaves %s of the damage', (spell, caster, left, type) => {
    const dc = caster === 'Actor.mira' ? 15 : 14;
    for (const seed of seeds) {
      const world = createWorld({ seed });
      use(world, caster, spell, ghoul);
      const [save, damage] = messages(world);
      const isSaved = save!.roll!.total >= dc;
      expect(save?.text).toBe(`Ghoul: DC ${dc} dex save, ${isSaved ? 'success' : 'failure'}`);
      const rolled = damage?.roll?.total ?? 0;
      const taken = !isSaved ? rolled : left === 'half' ? Math.floor(rolled / 2) : 0;
      const isTold = !isSaved || left === 'half';
      expect(damage?.text).toBe(isTold ? `Ghoul takes ${taken} ${type}` : undefined);
      expect(actorOf(world, ghoul).hitPoints.value).toBe(Math.max(0, 22 - taken));
    }
  });

  test('against a spell for humanoids alone is refused for others, and holds who fails', () => {
    const world = createWorld({ seed: 1 });
    expect(() => use(world, 'Actor.borin', 'Hold Person', ghoul)).toThrow(refusal('invalid_target'));
    const held = seeds.map((seed) => {
      const world = createWorld({ seed });
      use(world, 'Actor.borin', 'Hold Person', 'Actor.cultist');
      const isHeld = actorOf(world, 'Actor.cultist').conditions.includes('paralyzed');
      expect(isHeld).toBe((messages(world)[0]?.roll?.total ?? 0) < 14);
      expect(actorOf(world, 'Actor.borin').concentration?.spell).toBe('Hold Person');
      world.answer('break-concentration', { actorUuid: 'Actor.borin' });
      expect(actorOf(world, 'Actor.cultist').conditions).toEqual([]);
      return isHeld;
    });
    expect(new Set(held).size).toBe(2);
  });
});

describe('damage', () => {
  test('does nothing to the immune', () => {
    const state = createWorld().state();
    const actors = state.actors.map((one) =>
      one.uuid === ghoul ? { ...one, damageImmunities: ['force'] } : one,
    );
    const world = createWorld({ seed: 1, state: { ...state, actors } });
    use(world, 'Actor.mira', 'Wand of Magic Missiles', ghoul);
    expect(texts(world)).toEqual(['Ghoul takes 0 force']);
    expect(actorOf(world, ghoul).hitPoints.value).toBe(22);
  });

  test.each([
    ['Actor.mira', 5, 'alive', []],
    ['Actor.mira', 27, 'dying', ['Mira Thornwood falls unconscious']],
    [ghoul, 22, 'dead', ['Ghoul dies']],
    ['Actor.borin', 5, 'alive', ['Concentration save']],
    ['Actor.borin', 36, 'dying', ['Borin Ironhand falls unconscious']],
    ['Actor.borin', 0, 'alive', []],
    ['Actor.borin', -7, 'alive', []],
  ])('to %s of %i leaves it %s, and that is told: %j', (actorUuid, amount, life, titles) => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'damage', actorUuid, amount });
    expect(messages(world).map(({ title }) => title)).toEqual(titles);
    expect(actorOf(world, actorUuid).life).toBe(life);
  });

  test('of less than nothing heals', () => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'damage', actorUuid: 'Actor.borin', amount: -5 });
    expect(actorOf(world, 'Actor.borin').hitPoints.value).toBe(41);
  });
});
