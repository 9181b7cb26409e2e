import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../test/look-up.ts';
import type { Document } from '../../document.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

interface Tree {
  folders: Record<string, Tree>;
  entities: Document[];
}

const folder = (world: World, name: string, more: object = {}, folderType = 'JournalEntry') =>
  world.answer('create-folder', { name, folderType, folderId: name, ...more }).data;

const tell = (world: World, parameters: object = {}, userId?: string) =>
  world.answer('structure', parameters, { userId }).data as Document;

/** The names of folders within folders. */
const namesOf = ({ folders }: Tree): Document =>
  Object.fromEntries(Object.entries(folders).map(([name, tree]) => [name, namesOf(tree)]));

/** Five folders, one in the other, beside the one that there is. */
function createNestedWorld() {
  const world = createWorld({ seed: 1 });
  folder(world, 'a');
  for (const [outer, name] of ['ab', 'bc', 'cd', 'de', 'ef']) folder(world, name!, { parentFolderId: outer });
  return world;
}

describe('the structure of a world', () => {
  test('names what lies in no folder by kind, folders, and the packs of their kinds', () => {
    const told = tell(createWorld({ seed: 1 }), { types: ['Item', 'JournalEntry'] });
    expect(told).toEqual({
      folders: {
        Handouts: {
          id: 'handouts',
          uuid: 'Folder.handouts',
          type: 'JournalEntry',
          folders: {},
          entities: [
            {
              uuid: 'JournalEntry.rumours',
              id: 'rumours',
              name: 'Rumours of the chapel',
              type: 'JournalEntry',
              img: null,
            },
          ],
        },
      },
      entities: {
        items: [
          {
            uuid: 'Item.silver-key',
            id: 'silver-key',
            name: 'Silver key',
            type: 'loot',
            img: 'icons/loot.svg',
          },
        ],
        journal: [
          {
            uuid: 'JournalEntry.secrets',
            id: 'secrets',
            name: 'What lies below',
            type: 'JournalEntry',
            img: null,
          },
        ],
      },
      compendiumPacks: {
        Gear: { id: 'dnd5e.items', name: 'Gear', type: 'Item', count: 8 },
        Spells: { id: 'dnd5e.spells', name: 'Spells', type: 'Item', count: expect.any(Number) as number },
      },
    });
  });

  test('has the kinds that are asked for, and all of them where none is', () => {
    const world = createWorld({ seed: 1 });
    expect(tell(world, { types: ['Actor'] })).toMatchObject({ folders: {}, compendiumPacks: {} });
    expect(tell(world, { types: [] })).toEqual({ folders: {}, entities: {}, compendiumPacks: {} });
    expect(Object.keys(tell(world)['entities'] as object)).toEqual([
      'actors',
      'items',
      'scenes',
      'journal',
      'macros',
      'playlists',
    ]);
  });

  test('goes as deep into folders as is said: one, five, or so many', () => {
    const world = createNestedWorld();
    const deep = (parameters: object) => {
      const { Handouts: _handouts, ...made } = namesOf(tell(world, parameters) as unknown as Tree);
      return made;
    };
    expect(deep({})).toEqual({ a: {} });
    expect(deep({ recursive: false, recursiveDepth: 3 })).toEqual({ a: {} });
    expect(deep({ recursive: true, recursiveDepth: 2 })).toEqual({ a: { b: {} } });
    expect(deep({ recursive: true })).toEqual({ a: { b: { c: { d: { e: {} } } } } });
  });

  test('can begin at a folder or a compendium, and nowhere else', () => {
    const world = createNestedWorld();
    const { folders } = tell(world, { path: 'Folder.d', recursive: true }) as unknown as Tree;
    expect(folders).toMatchObject({ d: { id: 'd', folders: { e: { id: 'e' } } } });
    const { compendium } = tell(world, { path: 'Compendium.dnd5e.items' }) as { compendium: Document };
    expect(compendium).toMatchObject({ id: 'dnd5e.items', name: 'Gear', type: 'Item', count: 8 });
    expect(compendium['entities']).toHaveLength(8);
    for (const path of ['Actor.mira', 'Folder.none', 'Compendium.dnd5e.none', 'Compendium.dnd5e'])
      expect(() => tell(world, { path })).toThrow(refusal('entity_not_found'));
  });

  test('has documents whole where that is asked, as far as a user may see them', () => {
    const world = createWorld({ seed: 1 });
    const parameters = { types: ['Actor'], includeEntityData: true };
    const actorsFor = (userId?: string) =>
      (tell(world, parameters, userId)['entities'] as Tree & { actors: Document[] }).actors;
    expect(actorsFor()[0]).toMatchObject({ name: 'Mira Thornwood', system: { currency: { gp: 42 } } });
    const [mira, borin] = actorsFor('Ben');
    expect(mira).toHaveProperty('system');
    expect(borin).not.toHaveProperty('system');
    expect(tell(world, { types: ['Actor'] })['entities']).not.toHaveProperty('actors.0.system');
  });
});

test('a folder within another is listed though it says no kind', () => {
  const world = createWorld({ seed: 1 });
  const { uuid } = folder(world, 'letters', { parentFolderId: 'handouts' });
  world.answer('update', { uuid, data: { '-=type': null } });
  expect(tell(world, { recursive: true, recursiveDepth: 2 })['folders']).toMatchObject({
    Handouts: { folders: { letters: { type: '' } } },
  });
});

test('what has no name is listed under an empty one', () => {
  const world = createWorld({ seed: 1 });
  world.answer('create', { entityType: 'Macro', data: {} });
  const { data } = world.answer('create-folder', { name: 'Old', folderType: 'Macro' });
  world.answer('update', { uuid: data.uuid, data: { '-=name': null } });
  const told = tell(world, { types: ['Macro'] });
  expect(Object.keys(told['folders'] as object)).toEqual(['']);
  expect(told['entities']).toMatchObject({ macros: [{}, { name: '', type: 'Macro', img: null }] });
  expect(world.answer('search', { filter: 'Macro' }).results.at(-1)).toMatchObject({ name: '' });
});

describe('a folder', () => {
  test('is made within another of its kind, and once by the same id', () => {
    const world = createWorld({ seed: 1 });
    const made = folder(world, 'letters', { parentFolderId: 'handouts' });
    expect(made).toEqual({
      id: 'letters',
      uuid: 'Folder.letters',
      name: 'letters',
      type: 'JournalEntry',
      parentFolder: 'handouts',
    });
    expect(
      world.answer('create-folder', { name: 'Other', folderType: 'Actor', folderId: 'letters' }).data,
    ).toEqual(made);
    folder(world, 'undefined');
    const { data } = world.answer('create-folder', { name: 'Loot', folderType: 'Item' });
    expect(data).toMatchObject({ name: 'Loot', type: 'Item', parentFolder: null });
    expect(data.id).toMatch(/^\w{16}$/);
  });

  test.each([
    ['of a kind that has none', { folderType: 'User' }, 'invalid_data'],
    ['of a kind that there is not', { folderType: 'Nothing' }, 'invalid_data'],
    ['within one of another kind', { folderType: 'Actor', parentFolderId: 'handouts' }, 'invalid_data'],
    ['within one that there is not', { folderType: 'Actor', parentFolderId: 'none' }, 'entity_not_found'],
    ['by an id that is none', { folderType: 'Actor', folderId: 'a.b' }, 'invalid_data'],
  ])('is not made %s', (_what, more, code) => {
    const world = createWorld({ seed: 1 });
    expect(() => world.answer('create-folder', { name: 'New', ...more })).toThrow(refusal(code));
  });

  test('is found by its name in any letters, with what lies in it and the user may know of', () => {
    const world = createWorld({ seed: 1 });
    world.answer('update', { uuid: 'JournalEntry.secrets', data: { folder: 'handouts' } });
    const find = (userId?: string) => world.answer('get-folder', { name: 'hAndouts' }, { userId }).data;
    expect(find()).toMatchObject({ id: 'handouts', name: 'Handouts', parentFolder: null });
    expect(find().contents).toHaveLength(2);
    expect(find('Ben').contents).toMatchObject([{ uuid: 'JournalEntry.rumours', id: 'rumours' }]);
    expect(() => world.answer('get-folder', { name: 'Hand' })).toThrow(refusal('entity_not_found'));
  });

  test('goes with all that lies in it, also where folders lie in a ring, and nothing else does', () => {
    const world = createNestedWorld();
    world.answer('update', { uuid: 'JournalEntry.secrets', data: { folder: 'f' } });
    world.answer('update', { uuid: 'Folder.a', data: { folder: 'f' } });
    expect(() => world.answer('delete-folder', { folderId: 'f' })).toThrow(refusal('not_empty'));
    expect(world.answer('delete-folder', { folderId: 'c', deleteAll: true }).data).toEqual({
      deleted: true,
      folderId: 'c',
      entitiesDeleted: 1,
      foldersDeleted: 6,
    });
    const { documents } = world.state();
    const {
      'JournalEntry.secrets': _secrets,
      'JournalEntry.secrets.JournalEntryPage.crypt': _page,
      ...others
    } = createWorld().state().documents;
    expect(documents).toEqual(others);
  });

  test('that is empty goes by itself, and one that holds a folder does not', () => {
    const world = createNestedWorld();
    expect(() => world.answer('delete-folder', { folderId: 'e' })).toThrow(refusal('not_empty'));
    expect(world.answer('delete-folder', { folderId: 'f' }).data).toMatchObject({
      entitiesDeleted: 0,
      foldersDeleted: 1,
    });
    expect(() => world.answer('delete-folder', { folderId: 'f' })).toThrow(refusal('entity_not_found'));
  });

  test('is a matter of game masters', () => {
    const world = createWorld({ seed: 1 });
    const as = { userId: 'Ben' };
    const create = { name: 'New', folderType: 'Actor' };
    expect(() => world.answer('create-folder', create, as)).toThrow(refusal('permission_denied'));
    expect(() => world.answer('delete-folder', { folderId: 'handouts', deleteAll: true }, as)).toThrow(
      refusal('permission_denied'),
    );
  });
});
