import type { OperationName } from '@tabletop-relay/module-sdk';
import { beforeEach, expect, test, vi } from 'vitest';
import { createActivity } from './activity.ts';
import { needsOf } from './needs.ts';
import { firstPolicy } from './policy.ts';
import type { Policy } from './policy.ts';
import { createQuestions } from './questions.ts';
import { createTrust } from './trust.ts';
import { valuesOf } from './values.ts';

const documentOf = (documentName: string, id: string, more: object = {}) => ({
  documentName,
  id,
  uuid: `${documentName}.${id}`,
  name: `The ${id}`,
  parent: null,
  ...more,
});
type Fake = ReturnType<typeof documentOf>;

/** A collection of the tabletop: a map by id that is searched as a list is. */
const collectionOf = (...documents: Fake[]) => ({
  get: (id: string) => documents.find((one) => one.id === id),
  find: (run: (one: Fake) => boolean) => documents.find(run),
  filter: (run: (one: Fake) => boolean) => documents.filter(run),
  map: (run: (one: Fake) => unknown) => documents.map(run),
  contents: documents,
});

const [goblin, bandit] = ['goblin', 'bandit'].map((id) => documentOf('Token', id, { hidden: false }));
const hall = documentOf('Scene', 'hall');
const actors = collectionOf(documentOf('Actor', 'mira'), documentOf('Actor', 'borin'));
const others = [hall, documentOf('ChatMessage', 'last'), documentOf('ActiveEffect', 'bless')];
const inner = documentOf('JournalEntry', 'secret');
const folder = documentOf('Folder', 'notes', { type: 'JournalEntry', contents: [inner], folder: null });

let selected: Fake[];
let policy: Policy;
let pausedBy: string;
let isInTouch: boolean;

beforeEach(() => {
  selected = [goblin!];
  policy = firstPolicy;
  pausedBy = '';
  isInTouch = true;
  vi.stubGlobal('game', {
    actors,
    scenes: { ...collectionOf(hall), active: hall },
    folders: collectionOf(folder),
    messages: collectionOf(),
    collections: new Map([['Actor', actors]]),
  });
  const tokens = {
    get controlled() {
      return selected.map((document) => ({ document }));
    },
  };
  vi.stubGlobal('canvas', { ready: true, scene: hall, tokens });
  vi.stubGlobal('fromUuid', (uuid: string) =>
    Promise.resolve([...actors.contents, ...others].find((one) => one.uuid === uuid) ?? null),
  );
  return () => vi.unstubAllGlobals();
});

const area = { getItem: () => null, setItem: () => undefined };
const caller = { id: 'bot', name: 'Bot', kind: 'key', via: 'http' } as const;

function start() {
  const questions = createQuestions({ onChange: () => undefined });
  const trust = createTrust({
    settings: {
      readPolicy: () => policy,
      writePolicy: (given) => Promise.resolve((policy = given)),
      readPausedBy: () => pausedBy,
    },
    questions,
    activity: createActivity({ area, key: 'a', onChange: () => undefined }),
    isHeadless: () => false,
    touch: { isSure: () => isInTouch, settled: () => Promise.resolve(isInTouch) },
  });
  const run = vi.fn<() => Promise<string>>(() => Promise.resolve('done'));
  const call = (name: OperationName, parameters: object) => {
    const context = { caller, userId: undefined, signal: new AbortController().signal };
    const given = { name, parameters: parameters as never, context: context as never };
    return trust.guard(given, run).catch((error: unknown) => (error as { code?: string }).code);
  };
  /** The question that is put, once it is. */
  const asked = () => vi.waitUntil(() => questions.open[0]);
  return { trust, questions, run, call, asked };
}

test('what is selected when somebody answers must be what they were shown', async () => {
  const { trust, run, call, asked } = start();
  const calling = call('remove', { selected: true, itemName: 'Sword' });
  const { id, targets } = await asked();
  expect(targets).toEqual(['Token The goblin']);
  selected = [bandit!];
  await trust.answer(id, 'once');
  expect(await calling).toBe('asked');
  expect(run).not.toHaveBeenCalled();
});

test.each([
  ['delete-scene', {}, ['Scene.hall']],
  ['delete-scene', { sceneId: 'hall' }, ['Scene.hall']],
  ['kill', { selected: true }, ['Token.goblin']],
  ['delete-folder', { folderId: 'notes', deleteAll: true }, ['Folder.notes', 'JournalEntry.secret']],
  ['short-rest', { actorName: 'the MIRA' }, ['Actor.mira']],
  ['short-rest', { actorUuid: 'Actor.borin', actorName: 'The mira' }, ['Actor.borin']],
  ['create', { entityType: 'Actor', override: true, data: { _id: 'mira' } }, ['Actor.mira']],
] as const)('%s with %o is done to %o', async (name, parameters, uuids) => {
  expect((await needsOf(name, parameters, null)).uuids).toEqual(uuids);
});

test('a name is cut where it would hide those after it, and no text looks like another field', async () => {
  vi.stubGlobal('fromUuid', () => Promise.resolve({ ...documentOf('Actor', 'x'), name: 'x'.repeat(5_000) }));
  const { targets } = await needsOf('kill', { uuid: 'Actor.x' }, null);
  expect(targets).toEqual([`Actor ${'x'.repeat(80)}… (5000 letters)`]);
  expect(valuesOf({ content: 'hi\nwhisper: ["gm"]' }, undefined)).toBe('content: hi\n  whisper: ["gm"]');
});

test.each([
  ['create', { entityType: 'Actor', override: true, data: { _id: 'mira' } }, ['update']],
  ['create', { entityType: 'Actor', override: true, data: { _id: 'new' } }, []],
  // What is no boolean counts as the operations take it.
  ['create', { entityType: 'Actor', override: 1, data: { _id: 'mira' } }, ['update']],
  ['increase', { uuid: 'Actor.mira', attribute: 'ownership.default', amount: 3 }, ['update']],
  ['increase', { uuid: 'Actor.mira', attribute: 'system.hp', amount: 3 }, []],
  [
    'add-effect',
    { uuid: 'Actor.mira', effectData: { changes: [{ key: 'ownership.default', value: '3' }] } },
    ['update'],
  ],
  [
    'update-canvas-document',
    { documentType: 'tokens', documentId: 'x', data: { 'delta.ownership.default': 3 } },
    ['update'],
  ],
  ['update', { uuid: 'Scene.hall', data: { name: 'x' } }, ['update-scene']],
  ['delete', { uuid: 'Scene.hall' }, ['delete-scene']],
  ['create', { entityType: 'ChatMessage', data: { content: 'x' } }, ['chat-send']],
  ['delete', { uuid: 'ChatMessage.last' }, ['chat-delete']],
  ['update', { uuid: 'ActiveEffect.bless', data: { disabled: true } }, ['add-effect']],
  ['delete', { uuid: 'ActiveEffect.bless' }, ['remove-effect']],
  ['update', { selected: true, data: { x: 5 } }, ['update-canvas-document']],
  ['kill', { selected: true }, ['add-effect', 'add-to-encounter']],
  [
    'create',
    { entityType: 'Actor', data: { name: 'x', effects: [], items: [{ effects: [{}] }] } },
    ['add-effect'],
  ],
  ['create', { entityType: 'Actor', data: { name: 'x', effects: [], system: { effects: [1] } } }, []],
  ['update', { uuid: 'Actor.mira', data: { '==effects': [{}] } }, ['add-effect', 'remove-effect']],
  ['create-scene', { data: { walls: [{}] } }, ['create-canvas-document']],
  ['create-scene', { data: { sounds: [{}] } }, ['create-canvas-document']],
  ['create', { entityType: 'Playlist', data: { name: 'x', sounds: [{}] } }, []],
  [
    'update-canvas-document',
    { documentType: 'tokens', documentId: 'x', data: { delta: { system: { hp: 1 } } } },
    ['update'],
  ],
] as const)('%s with %o has the level of %o too', async (name, parameters, as) => {
  expect((await needsOf(name, parameters as never, null)).as).toEqual(as);
});

test.each([
  ['scene:write', 'update', { uuid: 'Scene.hall', data: { name: 'x' } }],
  ['chat:write', 'create', { entityType: 'ChatMessage', data: { content: 'x' } }],
  ['effects:write', 'delete', { uuid: 'ActiveEffect.bless' }],
  ['effects:write', 'create', { entityType: 'Item', data: { effects: [{ name: 'x' }] } }],
  ['canvas:write', 'increase', { selected: true, attribute: 'x', amount: 5 }],
  ['encounter:manage', 'create', { entityType: 'Combat', data: {} }],
] as const)('what is denied of %s no operation writes: %s with %o', async (scope, name, parameters) => {
  const { run, trust, call } = start();
  const everything: Policy = { ...firstPolicy, preset: 'everything' };
  policy = { ...everything, scopes: { [scope]: 'deny' } };
  trust.changed();
  expect(await call(name, parameters)).toBe('policy');
  policy = everything;
  trust.changed();
  expect([await call(name, parameters), run.mock.calls.length]).toEqual(['done', 1]);
});

test('what was allowed for an hour of one kind of documents is asked about for another', async () => {
  const { trust, run, call, asked } = start();
  const first = call('update', { selected: true, data: { x: 5 } });
  const { id, isFree } = await asked();
  expect(isFree).toBe(true);
  await trust.answer(id, 'program');
  expect([await first, await call('update', { selected: true, data: { x: 6 } })]).toEqual(['done', 'done']);
  const second = call('update', { uuid: 'Scene.hall', data: { name: 'x' } });
  await trust.answer((await asked()).id, 'no');
  expect([await second, run.mock.calls.length]).toEqual(['denied', 2]);
});

test('what was allowed of an operation for an hour covers none of what it does otherwise', async () => {
  const { trust, run, call, asked } = start();
  const first = call('create', { entityType: 'Actor', data: { name: 'x' } });
  await trust.answer((await asked()).id, 'program');
  expect(await first).toBe('done');
  const second = call('create', { entityType: 'Actor', override: true, data: { _id: 'mira' } });
  const { id, isFree } = await asked();
  expect([isFree, run.mock.calls.length]).toEqual([false, 1]);
  await trust.answer(id, 'no');
  expect(await second).toBe('denied');
});

test('a text that is approved is approved for what it is done to, as that user, by that operation', async () => {
  const data = { flags: { other: { onUseMacro: 'run()' } } };
  const code = async (name: OperationName, user: object | null = null) =>
    (await needsOf(name, { selected: true, data }, user as never)).code;
  const shown = [
    await code('update'),
    await code('increase'),
    await code('update', { id: 'dora', isGM: true }),
  ];
  selected = [bandit!];
  shown.push(await code('update'));
  expect(new Set(shown).size).toBe(4);
});

test('a pause that is pressed stands until it is lifted, whatever else is written before the world knows it', () => {
  const { trust } = start();
  trust.pause();
  policy = { ...firstPolicy, preset: 'everything' };
  trust.changed();
  expect([trust.isPaused(), trust.mayTell()]).toEqual([true, false]);
  trust.resume();
  expect(trust.isPaused()).toBe(false);
  trust.pause();
  for (pausedBy of ['Ada', '']) trust.changed();
  expect(trust.isPaused()).toBe(false);
});

test('a browser that has lost the tabletop’s server, and so would hear of no pause, does nothing', async () => {
  const { run, call } = start();
  isInTouch = false;
  expect(await call('players', {})).toBe('paused');
  isInTouch = true;
  expect([await call('players', {}), run.mock.calls.length]).toEqual(['done', 1]);
});
