import { describe, expect, test } from 'vitest';
import { actorOf, refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

describe('rolls', () => {
  test('armor that makes noise gives disadvantage on stealth', () => {
    const world = createWorld();
    const formula = (actorUuid: string, skill: string) =>
      world.answer('skill-check', { actorUuid, skill }).data.formula;
    expect(formula('Actor.borin', 'ste')).toBe('2d20kl + 0');
    expect(formula('Actor.borin', 'rel')).toBe('1d20 + 2');
  });

  test('they are posted to the chat unless that is not wanted', () => {
    const world = createWorld();
    const found = world.state().chat;
    world.answer('ability-check', { actorUuid: 'Actor.mira', ability: 'int', createChatMessage: false });
    expect(world.state().chat).toEqual(found);
    world.answer('ability-check', { actorUuid: 'Actor.mira', ability: 'int' });
    expect(world.state().chat).toHaveLength(found.length + 1);
  });
});

/** Rolls death saves of one who is dying until there is no other, and returns the answers. */
function rollToTheEnd(world: World) {
  const answers = [];
  const isDying = () => actorOf(world, 'Actor.theron').life === 'dying';
  while (isDying()) answers.push(world.answer('death-save', { actorUuid: 'Actor.theron' }).data);
  return answers;
}

test.each(['stable', 'alive'])('one who is %s rolls no death save', (life) => {
  const worlds = Array.from({ length: 40 }, (_one, seed) => createWorld({ seed }));
  const world = worlds.find((one) => rollToTheEnd(one) && actorOf(one, 'Actor.theron').life === life)!;
  const before = world.state();
  expect(() => world.answer('death-save', { actorUuid: 'Actor.theron' })).toThrow(refusal('actor_not_dying'));
  expect(world.state()).toBe(before);
});

test('the third success and a natural 20 say so beside counts that are back at 0', () => {
  const ends = Array.from({ length: 40 }, (_one, seed) => {
    const world = createWorld({ seed });
    const [last, ...earlier] = rollToTheEnd(world).toReversed();
    expect(earlier.filter((answer) => 'stable' in answer || 'healed' in answer)).toEqual([]);
    const { total, deathSaves, stable, healed } = last!;
    const isTwenty = total === 20;
    const { success, failure } = deathSaves;
    return {
      life: actorOf(world, 'Actor.theron').life,
      isTwenty,
      counts: [success, failure],
      stable,
      healed,
    };
  });
  const of = (life: string) => ends.filter((end) => end.life === life);
  const none = [0, 0];
  for (const end of of('stable')) expect(end).toMatchObject({ counts: none, stable: true });
  for (const end of of('alive')) expect(end).toMatchObject({ counts: none, isTwenty: true, healed: true });
  for (const end of of('dead')) {
    expect(end.counts[1]).toBe(3);
    expect(end).toMatchObject({ stable: undefined, healed: undefined });
  }
  expect(of('stable').length * of('alive').length * of('dead').length).toBeGreaterThan(0);
});

test('the chat says how a death save ends', () => {
  const said = Array.from({ length: 40 }, (_one, seed) => {
    const world = createWorld({ seed });
    const { chat } = world.state();
    const life = () => world.state().actors.find(({ uuid }) => uuid === 'Actor.theron')?.life;
    while (life() === 'dying') world.answer('death-save', { actorUuid: 'Actor.theron' });
    return `${life()}: ${world.state().chat.slice(chat.length).at(-1)?.text}`;
  });
  expect([...new Set(said)].toSorted()).toEqual([
    'alive: Theron Vale is back with 1 hit point',
    'dead: Theron Vale dies',
    'stable: Theron Vale is stable',
  ]);
});

test('a long rest without a hit point is stopped, and changes nothing', () => {
  const world = createWorld();
  const before = world.state();
  expect(world.answer('long-rest', { actorUuid: 'Actor.theron' }).data.result).toEqual({ completed: true });
  expect(world.state()).toBe(before);
});

test('details tell the spell slots, the concentration, and a monster’s own resources', () => {
  const world = createWorld();
  const details = (actorUuid: string, wanted: string) =>
    world.answer('get-actor-details', { actorUuid, details: [wanted] }).data;
  expect(details('Actor.mira', 'spells').spellSlots).toMatchObject({ spell1: { value: 3, max: 4 } });
  expect(details('Actor.borin', 'conditions').concentration).toEqual({ active: true, name: 'Bless' });
  expect(details('Actor.mira', 'conditions').concentration).toEqual({ active: false });
  expect(details('Actor.ghoul', 'resources').resources).toHaveProperty('legact');
  expect(world.answer('world-info', {}).data).toHaveProperty('foundryVersion', '13.348');
});

test('details tell the stats, the skills and the person by the names that today’s modules give', () => {
  const { data } = createWorld().answer('get-actor-details', {
    actorUuid: 'Actor.mira',
    details: ['stats', 'skills', 'details'],
  });
  expect(data.stats).toEqual({
    name: 'Mira Thornwood',
    img: 'tokens/mira.svg',
    uuid: 'Actor.mira',
    level: 5,
    profBonus: 3,
    ac: 13,
    hp: { value: 27, max: 27, temp: 0 },
    speed: 30,
    initBonus: 2,
    deathSaves: { success: 0, failure: 0 },
    encumbrance: { value: expect.any(Number) as number, max: 120 },
    currency: { pp: 0, gp: 42, ep: 0, sp: 12, cp: 4 },
  });
  expect(data.skills).toHaveProperty('prc', { ability: 'wis', value: 1, mod: 2, total: 5, passive: 15 });
  expect(Object.keys(data.details ?? {})).toEqual(['race', 'background', 'class', 'alignment']);
});
