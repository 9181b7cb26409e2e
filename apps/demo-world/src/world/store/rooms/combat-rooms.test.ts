import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../test/look-up.ts';
import type { Document } from '../../document.ts';
import type { Combatant } from '../../state.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const read = (world: World, uuid: string) => world.answer('entity', { uuid }).data as Document;
const start = (world: World) => world.answer('start-encounter', {}).encounter.id;

describe('an encounter’s document', () => {
  test('is read with its combatants in the order in which they joined', () => {
    const world = createWorld({ seed: 1 });
    const other = start(world);
    expect(read(world, 'Combat.ambush')).toMatchObject({
      _id: 'ambush',
      uuid: 'Combat.ambush',
      current: false,
    });
    expect(read(world, `Combat.${other}`)).toMatchObject({ current: true, combatants: [] });
    const { combatants } = read(world, 'Combat.ambush') as { combatants: Document[] };
    expect(combatants.map(({ _id }) => _id)).toEqual(
      ['mira', 'ghoul', 'sable', 'ghoul-2', 'borin', 'theron'].map((id) => `ambush-${id}`),
    );
  });

  test('gives it another name, and nothing else that is no text', () => {
    const world = createWorld({ seed: 1 });
    const other = start(world);
    const before = world.state().encounters;
    world.answer('update', { uuid: 'Combat.ambush', data: { name: 'The bell tolls', round: 9 } });
    expect(world.state().encounters).toEqual([{ ...before[0], name: 'The bell tolls' }, before[1]]);
    world.answer('update', { uuid: `Combat.${other}`, data: { name: 5 } });
    expect(world.state().encounters[1]).toEqual(before[1]);
  });

  test('is deleted with the encounter, and which one is current stays, unless that one goes', () => {
    const world = createWorld({ seed: 1 });
    const [second, third] = [start(world), start(world)];
    world.answer('delete', { uuid: `Combat.${second}` });
    expect(world.state().currentEncounterId).toBe(third);
    start(world);
    world.answer('delete', { uuid: `Combat.${third}` });
    expect(world.state().encounters).toHaveLength(2);
    world.answer('delete', { uuid: `Combat.${world.state().currentEncounterId}` });
    expect(world.state().currentEncounterId).toBeNull();
    expect(world.state().encounters.map(({ id }) => id)).toEqual(['ambush']);
  });

  test('is made by starting an encounter alone', () => {
    const create = { entityType: 'Combat', data: { name: 'New' } };
    expect(() => createWorld().answer('create', create)).toThrow(refusal('not_supported'));
  });
});

describe('a combatant’s document', () => {
  const uuid = 'Combat.ambush.Combatant.ambush-mira';

  function after(data: Document): Combatant {
    const world = createWorld({ seed: 1 });
    const [, ...others] = world.state().encounters[0]!.combatants;
    world.answer('update', { uuid, data });
    const [changed, ...now] = world.state().encounters[0]!.combatants;
    expect(now).toEqual(others);
    return changed!;
  }

  test.each<[Document, Partial<Combatant>]>([
    [{ name: 'M.' }, { name: 'M.' }],
    [{ name: 5 }, { name: 'Mira Thornwood' }],
    [{ hidden: true }, { hidden: true }],
    [{ hidden: 1 }, { hidden: false }],
    [{ defeated: true }, { defeated: true }],
    [{ initiative: 3 }, { initiative: 3 }],
    [{ initiative: -101 }, { initiative: -100 }],
    [{ initiative: 1001 }, { initiative: 1000 }],
    [{ initiative: null }, { initiative: 17 }],
    [{ img: 'other.svg' }, { img: 'tokens/mira.svg' }],
  ])('changes what it may: %j', (data, expected) => {
    expect(after(data)).toEqual({ ...after({}), ...expected });
  });

  test('gives no initiative to one who has not rolled', () => {
    const world = createWorld({ seed: 1 });
    world.answer('add-to-encounter', { uuids: ['Scene.chapel.Token.cultist'] });
    const added = world.state().encounters[0]!.combatants.find(({ initiative }) => initiative === null)!;
    world.answer('update', { uuid: `Combat.ambush.Combatant.${added.id}`, data: { initiative: 5 } });
    expect(world.state().encounters[0]!.combatants).toContainEqual(added);
  });

  test('is read beside others, and belongs to its own encounter', () => {
    const world = createWorld({ seed: 1 });
    const other = start(world);
    expect(read(world, uuid)).toMatchObject({ _id: 'ambush-mira', uuid, name: 'Mira Thornwood' });
    for (const elsewhere of [`Combat.${other}.Combatant.ambush-mira`, 'Combat.ambush.Combatant.nobody'])
      expect(() => read(world, elsewhere)).toThrow(refusal('entity_not_found'));
  });

  test('neither comes nor goes by itself', () => {
    const world = createWorld({ seed: 1 });
    expect(() => world.answer('delete', { uuid })).toThrow(refusal('not_supported'));
    const combatants = [{ name: 'New' }];
    expect(() => world.answer('update', { uuid: 'Combat.ambush', data: { combatants } })).toThrow(
      refusal('not_supported'),
    );
  });
});
