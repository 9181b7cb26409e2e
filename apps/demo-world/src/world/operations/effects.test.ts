import { describe, expect, test } from 'vitest';
import { actorOf, refusal, token } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';
import type { World } from '../world.ts';

const effectsOf = (world: World, uuid: string) => world.answer('get-effects', { uuid }).data.effects;
const add = (world: World, uuid: string, more: object) => world.answer('add-effect', { uuid, ...more }).data;
const remove = (world: World, uuid: string, more: object) =>
  world.answer('remove-effect', { uuid, ...more }).data;

const prone = {
  id: 'prone',
  uuid: 'Actor.mira.ActiveEffect.prone',
  name: 'Prone',
  icon: 'icons/conditions/prone.svg',
  statuses: ['prone'],
};

describe('the conditions of the rules', () => {
  test('are listed with their names and icons', () => {
    const { effects } = createWorld().answer('get-status-effects', {}).data;
    expect(effects.map(({ id }) => id)).toEqual(
      'blinded charmed deafened frightened grappled incapacitated invisible paralyzed petrified poisoned prone restrained stunned unconscious'.split(
        ' ',
      ),
    );
    expect(effects).toContainEqual({ id: 'prone', name: 'Prone', icon: 'icons/conditions/prone.svg' });
  });

  test.each(['Actor.mira', token('mira')])('come to %s and go, by name or by id', (uuid) => {
    const world = createWorld({ seed: 1 });
    expect(add(world, uuid, { statusId: 'prone' })).toEqual({ uuid, effect: prone });
    expect(effectsOf(world, uuid)).toEqual([
      { ...prone, disabled: false, duration: {}, changes: [], origin: null },
    ]);
    expect(actorOf(world, 'Actor.mira').conditions).toEqual(['prone']);
    expect(remove(world, uuid, { statusId: 'prone' })).toEqual({ uuid, removedEffectId: 'prone' });
    add(world, uuid, { statusId: 'prone' });
    expect(remove(world, uuid, { effectId: 'prone' })).toEqual({ uuid, removedEffectId: 'prone' });
    expect(actorOf(world, 'Actor.mira').conditions).toEqual([]);
  });

  test('come once, and not to the immune', () => {
    const world = createWorld({ seed: 1 });
    add(world, 'Actor.mira', { statusId: 'prone' });
    expect(() => add(world, 'Actor.mira', { statusId: 'prone' })).toThrow(refusal('already_exists'));
    expect(() => add(world, 'Actor.mira', { statusId: 'bored' })).toThrow(refusal('unknown_status'));
    expect(() => add(world, 'Actor.ghoul', { statusId: 'poisoned' })).toThrow(refusal('immune'));
  });

  test('are as the rules have them, and follow from them', () => {
    const world = createWorld({ seed: 1 });
    add(world, 'Actor.mira', { statusId: 'prone' });
    const change = { uuid: prone.uuid, data: { name: 'Flat' } };
    expect(() => world.answer('update', change)).toThrow(refusal('not_supported'));
    expect(world.answer('entity', { uuid: prone.uuid }).data).toMatchObject({
      _id: 'prone',
      img: prone.icon,
    });
    expect(() => remove(world, 'Actor.mira', { statusId: 'stunned' })).toThrow(refusal('entity_not_found'));
    world.answer('kill', { uuid: 'Actor.mira' });
    expect(effectsOf(world, 'Actor.mira').map(({ name }) => name)).toEqual(['Dead']);
    expect(() => remove(world, 'Actor.mira', { statusId: 'dead' })).toThrow(refusal('not_supported'));
    expect(effectsOf(world, 'Actor.theron').map(({ name }) => name)).toEqual(['Unconscious']);
  });

  test('show concentration, which ends with its effect', () => {
    const world = createWorld({ seed: 1 });
    expect(effectsOf(world, 'Actor.borin')).toEqual([
      {
        id: 'bless',
        uuid: 'Actor.borin.ActiveEffect.bless',
        name: 'Concentrating: Bless',
        icon: 'icons/conditions/concentrating.svg',
        statuses: ['concentrating'],
        disabled: false,
        duration: {},
        changes: [],
        origin: 'Actor.borin.Item.bless',
      },
    ]);
    remove(world, 'Actor.borin', { statusId: 'concentrating' });
    expect(actorOf(world, 'Actor.borin').concentration).toBeNull();
    expect(effectsOf(world, 'Actor.borin')).toEqual([]);
  });
});

describe('an effect of one’s own', () => {
  test('has what is said of it, and is plain where nothing is', () => {
    const world = createWorld({ seed: 1 });
    const { effect: plain } = add(world, 'Actor.mira', { effectData: {} });
    expect(plain).toEqual({
      id: expect.stringMatching(/^\w{16}$/) as string,
      uuid: `Actor.mira.ActiveEffect.${plain!.id}`,
      name: 'Effect',
      icon: null,
      statuses: [],
    });
    const effectData = {
      name: 'Blessed',
      img: 'bless.svg',
      statuses: ['blessed', 5],
      disabled: true,
      duration: { rounds: 10 },
      changes: [{ key: 'x' }],
      origin: 'Actor.borin',
    };
    add(world, 'Actor.mira', { effectData });
    const [first, second] = effectsOf(world, 'Actor.mira');
    expect(first).toEqual({ ...plain, disabled: false, duration: {}, changes: [], origin: null });
    const { img: icon, ...told } = effectData;
    expect(second).toMatchObject({ ...told, icon, statuses: ['blessed'] });
  });

  test('of another shape is told as far as it can be', () => {
    const world = createWorld({ seed: 1 });
    add(world, 'Actor.mira', {
      effectData: { name: 5, statuses: 'x', changes: 3, icon: 'a.svg', img: 'b.svg' },
    });
    expect(effectsOf(world, 'Actor.mira')).toMatchObject([
      { name: 'Effect', statuses: [], changes: [], icon: 'a.svg' },
    ]);
  });

  test('changes and goes, beside others', () => {
    const world = createWorld({ seed: 1 });
    const one = add(world, 'Actor.mira', { effectData: { name: 'One' } }).effect!;
    add(world, 'Actor.mira', { effectData: { name: 'Two', statuses: ['two'] } });
    world.answer('update', { uuid: one.uuid, data: { name: 'First' } });
    expect(effectsOf(world, 'Actor.mira').map(({ name }) => name)).toEqual(['First', 'Two']);
    remove(world, 'Actor.mira', { statusId: 'two' });
    expect(effectsOf(world, 'Actor.mira').map(({ name }) => name)).toEqual(['First']);
    expect(() => remove(world, 'Actor.mira', { effectId: 'none' })).toThrow(refusal('entity_not_found'));
    expect(effectsOf(world, 'Actor.borin')).toHaveLength(1);
  });

  test('is for actors and their tokens, as far as a user may reach them', () => {
    const world = createWorld({ seed: 1 });
    for (const uuid of ['Item.silver-key', 'Scene.crypt', 'Actor.nobody'])
      expect(() => effectsOf(world, uuid)).toThrow(refusal('entity_not_found'));
    const read = (uuid: string) => world.answer('get-effects', { uuid }, { userId: 'Ben' });
    expect(read('Actor.borin').data.effects).toHaveLength(1);
    expect(() => read('Actor.ghoul')).toThrow(refusal('permission_denied'));
  });
});
