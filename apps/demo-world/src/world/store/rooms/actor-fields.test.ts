import { describe, expect, test } from 'vitest';
import { actorOf } from '../../../../test/look-up.ts';
import type { Document } from '../../document.ts';
import type { Actor } from '../../state.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const mira = 'Actor.mira';
const write = (world: World, data: Document, uuid = mira) => world.answer('update', { uuid, data });

/** Mira after a change of her document. */
function after(data: Document): Actor {
  const world = createWorld({ seed: 1 });
  write(world, data);
  return actorOf(world, mira);
}

describe('what is written into an actor’s document', () => {
  test.each<[string, (actor: Actor) => unknown]>([
    ['name', ({ name }) => name],
    ['img', ({ img }) => img],
    ['system.details.race', ({ race }) => race],
    ['system.details.class', ({ className }) => className],
    ['system.details.background', ({ background }) => background],
    ['system.details.alignment', ({ alignment }) => alignment],
  ])('as text is what the rules know from then on, and what is no text is not: %s', (path, read) => {
    expect(read(after({ [path]: 'Other' }))).toBe('Other');
    expect(read(after({ [path]: 7 }))).toBe(read(actorOf(createWorld(), mira)));
  });

  test.each<[string, (actor: Actor) => unknown, least: number, most: number]>([
    ['system.details.level', ({ level }) => level, 0, 20],
    ['system.details.xp.value', ({ experience }) => experience, 0, 1_000_000],
    ['system.attributes.movement.walk', ({ speedFeet }) => speedFeet, 0, 10_000],
    ['system.attributes.hp.max', ({ hitPoints }) => hitPoints.max, 1, 100_000],
    ['system.attributes.hp.value', ({ hitPoints }) => hitPoints.value, 0, 27],
    ['system.attributes.hp.temp', ({ hitPoints }) => hitPoints.temp, 0, 100_000],
    ['system.abilities.dex.value', ({ abilities }) => abilities.dex.score, 1, 30],
    ['system.spells.spell1.value', ({ spellSlots }) => spellSlots[1]?.value, 0, 4],
    ['system.currency.gp', ({ currency }) => currency.gp, 0, 1_000_000_000],
  ])('as a number is held within its bounds: %s', (path, read, least, most) => {
    expect(read(after({ [path]: most }))).toBe(most);
    expect(read(after({ [path]: most + 1 }))).toBe(most);
    expect(read(after({ [path]: least }))).toBe(least);
    expect(read(after({ [path]: least - 1 }))).toBe(least);
    const before = read(actorOf(createWorld(), mira));
    for (const noNumber of [null, 'many', ' ', Number.NaN, Number.POSITIVE_INFINITY, true])
      expect(read(after({ [path]: noNumber }))).toBe(before);
  });

  test('as a number may be text, and loses what is behind its point', () => {
    expect(after({ 'system.details.level': ' 7 ' }).level).toBe(7);
    expect(after({ 'system.details.level': 7.9 }).level).toBe(7);
    expect(after({ 'system.currency.gp': -0.5 }).currency.gp).toBeCloseTo(0);
  });

  test('of other fields leaves these alone', () => {
    const before = actorOf(createWorld(), mira);
    const more = { flags: { test: { colour: 'blue' } } };
    expect(after(more)).toEqual({ ...before, more });
  });

  test('says of which saving throws it is proficient in', () => {
    const isProficient = (ability: 'int' | 'str', value: unknown) =>
      after({ [`system.abilities.${ability}.proficient`]: value }).abilities[ability].saveProficient;
    expect([isProficient('str', 1), isProficient('str', 0), isProficient('str', 'yes')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isProficient('int', 1), isProficient('int', 0), isProficient('int', 'no')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('gives no experience to a monster', () => {
    const world = createWorld({ seed: 1 });
    write(world, { 'system.details.xp.value': 100 }, 'Actor.ghoul');
    expect(actorOf(world, 'Actor.ghoul').experience).toBeNull();
  });
});

test.each<[string, unknown, string[]]>([
  ['another owner beside those who are there', { cleo: 3 }, ['ben', 'cleo']],
  ['another in the place of one who has less from now on', { ben: 2, cleo: 3 }, ['cleo']],
  ['the same once', { ben: 3 }, ['ben']],
  ['none for what all may do', { default: 3 }, ['ben']],
  ['none for what is no list of users', ['cleo'], ['ben']],
])('an ownership gives an actor %s', (_what, ownership, owners) => {
  expect(after({ ownership }).owners).toEqual(owners);
});

describe('hit points that are written', () => {
  const hp = (fields: Document) => ({ system: { attributes: { hp: fields } } });

  test('come down to a lower maximum, which is no damage', () => {
    const world = createWorld({ seed: 1 });
    write(world, hp({ max: 20 }), 'Actor.borin');
    expect(actorOf(world, 'Actor.borin')).toMatchObject({
      hitPoints: { value: 20, max: 20, temp: 0 },
      life: 'alive',
    });
  });

  test('go up to a higher maximum only where that is said, too', () => {
    expect(after(hp({ max: 40 })).hitPoints).toEqual({ value: 27, max: 40, temp: 0 });
    expect(after(hp({ max: 40, value: 40 })).hitPoints).toEqual({ value: 40, max: 40, temp: 0 });
  });

  test('take nothing from the temporary ones', () => {
    const world = createWorld({ seed: 1 });
    write(world, hp({ temp: 5 }));
    write(world, hp({ value: 20 }));
    expect(actorOf(world, mira).hitPoints).toEqual({ value: 20, max: 27, temp: 5 });
    write(world, hp({ value: 27 }));
    expect(actorOf(world, mira).hitPoints).toEqual({ value: 27, max: 27, temp: 5 });
  });

  test('raise the dead, with all death saves before them again', () => {
    const world = createWorld({ seed: 1 });
    for (const amount of [30, 1, 1, 1]) world.perform({ kind: 'damage', actorUuid: mira, amount });
    expect(actorOf(world, mira)).toMatchObject({ life: 'dead', deathSaves: { failure: 3 } });
    write(world, hp({ value: 0 }));
    expect(actorOf(world, mira)).toMatchObject({ life: 'dead', deathSaves: { failure: 3 } });
    write(world, hp({ value: 5 }));
    expect(actorOf(world, mira)).toMatchObject({
      life: 'alive',
      hitPoints: { value: 5 },
      deathSaves: { success: 0, failure: 0 },
    });
  });

  test('of 0 are the death of a monster', () => {
    const world = createWorld({ seed: 1 });
    write(world, hp({ value: 0 }), 'Actor.cultist');
    expect(actorOf(world, 'Actor.cultist').life).toBe('dead');
  });
});
