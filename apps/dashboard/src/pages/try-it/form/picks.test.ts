import { operations } from '@tabletop-relay/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { pickOf, readChoices } from './picks.ts';

afterEach(() => vi.unstubAllGlobals());

const named = (name: string) => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  return operation;
};

test.each([
  ['skill-check', 'actorUuid', { kind: 'Actor', by: 'uuid' }],
  ['delete-scene', 'sceneId', { kind: 'Scene', by: 'id' }],
  ['delete-user', 'id', { kind: 'User', by: 'id' }],
  ['create-user', 'name', undefined],
  ['delete-folder', 'folderId', undefined],
])('what %s names by %s', (operation, parameter, expected) => {
  expect(pickOf(named(operation), parameter)).toEqual(expected);
});

function answer(body: unknown, ok = true): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return { ok, json: async () => body };
  });
  return asked;
}

const asked = { clientId: 'c1', apiKey: 'trk_a', actorUuid: '' };

test('the actors of a world are offered by name, and their UUIDs are what is sent', async () => {
  const addresses = answer({
    results: [{ uuid: 'Actor.mira', name: 'Mira' }, { uuid: 'Actor.borin', name: 'Borin' }, {}],
  });
  expect(await readChoices({ kind: 'Actor', by: 'uuid' }, asked)).toEqual([
    { value: 'Actor.borin', label: 'Borin' },
    { value: 'Actor.mira', label: 'Mira' },
  ]);
  expect(addresses[0]).toContain('filter=Actor');
  answer({ results: [{ uuid: 'Scene.hall', name: 'Hall' }] });
  expect(await readChoices({ kind: 'Scene', by: 'id' }, asked)).toEqual([{ value: 'hall', label: 'Hall' }]);
});

test('items are those of the actor that the form names', async () => {
  answer({ data: { items: [{ _id: 'wand', name: 'Wand' }] } });
  expect(await readChoices({ kind: 'Item', by: 'uuid' }, { ...asked, actorUuid: 'Actor.mira' })).toEqual([
    { value: 'Actor.mira.Item.wand', label: 'Wand' },
  ]);
});

test.each([{}, { results: 'none' }, null])('a world that answers %j offers nothing', async (body) => {
  answer(body);
  expect(await readChoices({ kind: 'Actor', by: 'uuid' }, asked)).toEqual([]);
});
