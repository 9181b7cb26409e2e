import { describe, expect, test } from 'vitest';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const get = (world: World, uuid: string, userId?: string) =>
  world.answer('entity', { uuid }, { userId }).data as Record<string, unknown>;

const create = (world: World, entityType: string, data: object, userId?: string) =>
  world.answer('create', { entityType, data }, { userId });

const refusal = (code: string): unknown => expect.objectContaining({ code });

describe('documents of every kind', () => {
  test.each([
    ['Actor', { name: 'Bo', type: 'npc' }],
    ['Item', { name: 'Rope', type: 'loot' }],
    ['Scene', { name: 'Cave' }],
    ['JournalEntry', { name: 'Notes' }],
    ['RollTable', { name: 'Weather' }],
    ['Cards', { name: 'Deck' }],
    ['Macro', { name: 'Wave', type: 'script', command: '1' }],
    ['Playlist', { name: 'Sea' }],
    ['Folder', { name: 'Loot', type: 'Item' }],
    ['User', { name: 'Eve' }],
  ])('%s: is made, found, changed and deleted', (kind, data) => {
    const world = createWorld({ seed: 1 });
    const { uuid, entity } = create(world, kind, data);
    expect(entity).toMatchObject({ ...data, uuid });
    expect(get(world, uuid)).toEqual(entity);
    world.answer('update', { uuid, data: { name: 'New', 'flags.test.a.b': [1] } });
    expect(get(world, uuid)).toMatchObject({ name: 'New', flags: { test: { a: { b: [1] } } } });
    expect(world.answer('delete', { uuid })).toEqual({ uuid, success: true });
    expect(() => get(world, uuid)).toThrow(refusal('entity_not_found'));
  });

  test('what a document embeds comes and goes with it', () => {
    const world = createWorld({ seed: 1 });
    const pages = [{ name: 'One' }, { _id: 'two', name: 'Two' }];
    const { uuid } = create(world, 'JournalEntry', { name: 'Notes', pages });
    expect(get(world, uuid)['pages']).toMatchObject(pages);
    const page = `${uuid}.JournalEntryPage.two`;
    world.answer('update', { uuid, data: { pages: [{ _id: 'two', name: 'Second' }] } });
    expect(get(world, page)).toMatchObject({ name: 'Second' });
    world.answer('delete', { uuid });
    expect(() => get(world, page)).toThrow(refusal('entity_not_found'));
    expect(Object.keys(world.state().documents)).toEqual(Object.keys(createWorld().state().documents));
  });

  test('an _id that is there is refused, or changed with override, and fullSync removes what is not listed', () => {
    const world = createWorld({ seed: 1 });
    const data = { _id: 'rumours', name: 'Whispers', pages: [{ name: 'New' }] };
    expect(() => create(world, 'JournalEntry', data)).toThrow(refusal('already_exists'));
    const both = { entityType: 'JournalEntry', data, override: true };
    expect(world.answer('create', both).entity['pages']).toHaveLength(2);
    const synced = world.answer('create', { ...both, fullSync: true }).entity;
    expect(synced).toMatchObject({ name: 'Whispers', pages: [{ name: 'New' }] });
    expect(synced['pages']).toHaveLength(1);
  });

  test('an _id that reads like none is one, and those without get their own', () => {
    const world = createWorld({ seed: 1 });
    const call = { entityType: 'Macro', data: { _id: 'undefined', name: 'One' }, keepId: true };
    expect(world.answer('create', call).uuid).toBe('Macro.undefined');
    expect(create(world, 'Macro', { name: 'Two' }).uuid).toMatch(/^Macro\.\w{16}$/);
    expect(create(world, 'Macro', { _id: 'mine', name: 'Three' }).uuid).not.toBe('Macro.mine');
    expect(create(world, 'Macro', { _id: 5, name: 'Four' }).uuid).toMatch(/^Macro\.\w{16}$/);
  });

  test.each(['a.b', '', 'a b', 'x'.repeat(65), 5])('an _id that is %j is not kept', (_id) => {
    const call = { entityType: 'Macro', data: { _id, name: 'One' }, keepId: true };
    expect(() => createWorld().answer('create', call)).toThrow(refusal('invalid_data'));
  });

  test('a kind that stands in others alone is refused', () => {
    const world = createWorld();
    for (const kind of ['Token', 'JournalEntryPage', 'Combatant', 'Nothing'])
      expect(() => create(world, kind, {})).toThrow(refusal('not_supported'));
  });

  test('names that lead to the prototype change nothing', () => {
    const world = createWorld({ seed: 1 });
    const change = (text: string) => () =>
      world.answer('update', { uuid: 'JournalEntry.rumours', data: JSON.parse(text) as object });
    expect(change('{"__proto__":{"a":1}}')).toThrow(refusal('invalid_parameters'));
    change('{"constructor.prototype.b":1,"prototype.c":1}')();
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
    expect(Object.keys(get(world, 'JournalEntry.rumours'))).not.toContain('a');
  });

  test('a world that is full says so and changes nothing', () => {
    const world = createWorld({ seed: 1 });
    const data = { name: 'Long', text: 'x'.repeat(600_000) };
    for (let count = 0; count < 3; count += 1) create(world, 'JournalEntry', data);
    const before = world.state();
    expect(() => create(world, 'JournalEntry', data)).toThrow(refusal('world_full'));
    expect(world.state()).toBe(before);
  });
});

describe('what the rules know', () => {
  test('hit points that are set to 0 let a character fall, and above wake it', () => {
    const world = createWorld({ seed: 1 });
    const set = (value: number) =>
      world.answer('update', { uuid: 'Actor.mira', data: { system: { attributes: { hp: { value } } } } });
    set(0);
    expect(world.state().actors[0]).toMatchObject({ life: 'dying', conditions: ['unconscious'] });
    set(9);
    expect(world.state().actors[0]).toMatchObject({ life: 'alive', hitPoints: { value: 9 }, conditions: [] });
  });

  test('a deleted actor takes its token, its turn and its selection along', () => {
    const world = createWorld({ seed: 1 });
    world.answer('delete', { selected: true, actor: true });
    const { scenes, selection, encounters } = world.state();
    expect(scenes[0]?.tokens.map(({ name }) => name)).not.toContain('Mira Thornwood');
    expect(selection).toEqual([]);
    expect(encounters[0]).toMatchObject({ turn: 0 });
    expect(encounters[0]?.combatants[0]?.name).toBe('Ghoul');
  });

  test('the last game master stays', () => {
    const world = createWorld();
    expect(() => world.answer('delete', { uuid: 'User.ada' })).toThrow(refusal('last_game_master'));
    expect(() => world.answer('update', { uuid: 'User.ada', data: { role: 1 } })).toThrow(
      refusal('last_game_master'),
    );
  });
});

describe('a player', () => {
  const world = createWorld({ seed: 1 });

  test.each([
    ['an own character wholly', 'Actor.mira', 'system'],
    ['a journal that all may read', 'JournalEntry.rumours', 'pages'],
  ])('sees %s', (_what, uuid, field) => {
    expect(get(world, uuid, 'Ben')).toHaveProperty(field);
  });

  test('sees of others’ characters only that they are there', () => {
    expect(Object.keys(get(world, 'Actor.borin', 'Ben'))).toEqual(['uuid', 'name', 'type', 'img']);
  });

  test.each([
    ['a secret journal', 'JournalEntry.secrets', 'permission_denied'],
    ['a page of it', 'JournalEntry.secrets.JournalEntryPage.crypt', 'permission_denied'],
    ['a monster', 'Actor.ghoul', 'permission_denied'],
    ['a hidden token', 'Scene.chapel.Token.lurker', 'entity_not_found'],
  ])('does not see %s', (_what, uuid, code) => {
    expect(() => get(world, uuid, 'Ben')).toThrow(refusal(code));
  });

  test('changes only what is theirs, and makes only what their role allows', () => {
    const world = createWorld({ seed: 1 });
    const change = (uuid: string) => world.answer('update', { uuid, data: { name: 'X' } }, { userId: 'Ben' });
    expect(change('Actor.mira.Item.dagger').entity).toMatchObject([{ name: 'X' }]);
    for (const uuid of ['Actor.borin', 'JournalEntry.rumours', 'User.ben', 'Scene.chapel'])
      expect(() => change(uuid)).toThrow(refusal('permission_denied'));
    expect(() => create(world, 'Actor', { type: 'npc' }, 'Ben')).toThrow(refusal('permission_denied'));
    const { uuid } = create(world, 'Macro', { name: 'Mine' }, 'Ben');
    expect(get(world, uuid, 'Ben')).toMatchObject({ name: 'Mine' });
    expect(() => get(world, uuid, 'Cleo')).toThrow(refusal('permission_denied'));
  });
});

test('a caller whose scopes are told changes macros only with the scope for it', () => {
  const world = createWorld({ seed: 1 });
  const call = { entityType: 'Macro', data: { name: 'Wave' } };
  const withScopes = (...scopes: string[]) => world.answer('create', { ...call, _scopes: scopes });
  expect(() => withScopes('entity:write')).toThrow(refusal('permission_denied'));
  expect(withScopes('entity:write', 'macro:write')).toMatchObject({ entity: { name: 'Wave' } });
});

describe('giving', () => {
  test('moves an item, its last with it, and joins stacks', () => {
    const world = createWorld({ seed: 1 });
    const items = (uuid: string) => (get(world, uuid)['items'] as { name: string }[]).map(({ name }) => name);
    world.answer('give', { fromUuid: 'Actor.mira', toUuid: 'Actor.theron', itemName: 'Spellbook' });
    expect(items('Actor.mira')).not.toContain('Spellbook');
    expect(items('Actor.theron')).toContain('Spellbook');
  });

  test('copies what the world or a compendium has', () => {
    const world = createWorld({ seed: 1 });
    const give = (itemName: string) =>
      world.answer('give', { toUuid: 'Actor.theron', itemName, quantity: 2 });
    expect(give('Silver key')).toMatchObject({ itemUuid: 'Item.silver-key', quantity: 2 });
    expect(give('silver key')).toMatchObject({ quantity: 4 });
    expect(give('Fireball')).toMatchObject({ itemUuid: 'Compendium.dnd5e.spells.Item.fireball' });
    expect(get(world, 'Item.silver-key')).toMatchObject({ name: 'Silver key' });
  });

  test('more than there is, is refused', () => {
    const world = createWorld();
    const call = { fromUuid: 'Actor.mira', toUuid: 'Actor.borin', itemName: 'Spellbook', quantity: 5 };
    expect(() => world.answer('give', call)).toThrow(refusal('not_enough'));
    const removal = { actorUuid: 'Actor.mira', itemName: 'Spellbook', quantity: 5 };
    expect(() => world.answer('remove', removal)).toThrow(refusal('not_enough'));
  });
});
