import { operations } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/contract';
import { describe, expect, test } from 'vitest';
import { refusal, token } from '../../../test/look-up.ts';
import { createNodeWorld } from '../../node-world.ts';
import { createWorld } from '../world.ts';
import type { World } from '../world.ts';

describe('selecting', () => {
  test('adds to what is selected, or replaces it', () => {
    const world = createWorld();
    expect(world.answer('select', { name: 'cultist' }).selected).toEqual(['mira', 'cultist'].map(token));
    expect(world.answer('select', { name: 'Ghoul 2', overwrite: true }).selected).toEqual([token('ghoul-2')]);
  });

  test('tells players of their own tokens alone, whatever the game master has selected', () => {
    const world = createWorld();
    world.answer('select', { uuids: [token('lurker')], overwrite: true });
    const answer = world.answer('select', { name: 'Mira Thornwood' }, { userId: 'ben' });
    expect(answer).toMatchObject({ count: 1, message: '1 token selected', selected: [token('mira')] });
    expect(world.answer('select', { name: 'nobody' }).selected).toEqual(['lurker', 'mira'].map(token));
  });

  test('is cleared by an empty list that replaces it', () => {
    const world = createWorld();
    expect(world.answer('select', { uuids: [], overwrite: true })).toMatchObject({ count: 0, selected: [] });
    expect(world.answer('selected', {}).selected).toEqual([]);
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

  test('`selected: true` acts for the selected token’s actor', () => {
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

/** A call of each operation that takes one of what is selected. */
const onSelected = {
  'modify-experience': { amount: 1 },
  'short-rest': {},
  'long-rest': {},
  'get-concentration': {},
  'break-concentration': {},
  give: { itemName: 'Dagger' },
  remove: { itemName: 'Dagger' },
  'sheet-screenshot': {},
};

/** Operations that take all that is selected. */
const onAllSelected = [
  'start-encounter',
  'add-to-encounter',
  'remove-from-encounter',
  'entity',
  'update',
  'delete',
  'increase',
  'decrease',
  'kill',
];

describe('where several actors are selected', () => {
  const ask = (world: World, operation: OperationName, parameters: object, userId?: string) =>
    world.receive({ requestId: 'x', operation, parameters: { selected: true, ...parameters }, userId });

  test.each(Object.entries(onSelected))(
    '%s, which takes one, is refused and names them',
    async (name, more) => {
      const world = createNodeWorld();
      world.answer('select', { uuids: ['mira', 'sable'].map(token), overwrite: true });
      const before = world.state().actors;
      const refused = ask(world, name as OperationName, more);
      await expect(refused).rejects.toThrow(refusal('several_selected'));
      await expect(refused).rejects.toThrow('Mira Thornwood (Actor.mira), Sable Quickfoot (Actor.sable)');
      expect(world.state().actors).toBe(before);
      const { reasons } = operations.find((one) => one.name === name)!;
      expect(reasons).toContain('several_selected');
    },
  );

  test('each operation that reads `selected` is in one of the two lists', () => {
    const reading = operations.filter(({ parameters }) => 'selected' in parameters).map(({ name }) => name);
    const listed = [...Object.keys(onSelected), ...onAllSelected];
    expect(reading.filter((name) => !listed.includes(name))).toEqual([]);
  });

  test('two tokens of one actor are one', async () => {
    const world = createNodeWorld();
    const data = { actorId: 'mira', x: 1, y: 1 };
    const made = world.answer('create-canvas-document', { documentType: 'tokens', data });
    world.answer('select', { uuids: [token('mira'), String(made.data[0]!['uuid'])], overwrite: true });
    await expect(ask(world, 'short-rest', {})).resolves.toMatchObject({ data: { actorUuid: 'Actor.mira' } });
  });

  test('a player is told of none that is hidden', async () => {
    const world = createNodeWorld();
    world.perform({ kind: 'hide-token', tokenUuid: token('ghoul'), hidden: true });
    world.perform({ kind: 'select', tokenUuids: ['ghoul', 'sable', 'mira'].map(token) });
    await expect(ask(world, 'short-rest', {}, 'Ben')).rejects.toThrow(/^(?!.*Ghoul).*Sable.*Mira/);
  });
});
