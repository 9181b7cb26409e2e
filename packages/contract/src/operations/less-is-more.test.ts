import { expect, test } from 'vitest';
import { operations } from './index.ts';
import { refusesUnknown } from './operation.ts';
import type { Operation } from './operation.ts';

/**
 * What each operation that is marked does when one parameter less counts: more than was asked, or the same to something
 * else. A new operation is put here, or among the others below.
 */
const doesMore: Readonly<Record<string, string>> = {
  'end-encounter': 'ends the current encounter',
  'next-turn': 'moves the current encounter',
  'next-round': 'moves the current encounter',
  'last-turn': 'moves the current encounter',
  'last-round': 'moves the current encounter',
  'add-to-encounter': 'adds to the current encounter',
  'remove-from-encounter': 'removes from the current encounter',
  select: 'adds to the selection in place of replacing it, or selects by fewer marks',
  kill: 'its victims are dead: nobody takes that back',
  give: 'gives the whole stack, or a copy out of nothing',
  remove: 'deletes the item in place of some of it',
  'chat-send': 'shows everybody what was for some',
  'create-user': 'adds a user without a password',
  'create-canvas-document': 'puts it on the active scene',
  'update-canvas-document': 'changes what lies on the active scene',
  'move-token': 'moves a token of that name on the active scene',
  'playlist-play': 'plays the whole playlist',
  'playlist-stop': 'stops the whole playlist, where one sound was meant',
  'playlist-next': 'moves on a playlist of which one sound was meant',
  'playlist-volume': 'sets the volume of the whole playlist',
  'play-sound': 'plays it for everybody, at the usual volume',
  'stop-sound': 'stops all sounds',
};

/** The commands that are not marked, and why one parameter less does no more. */
const doesNoMore: Readonly<Record<string, string>> = {
  'start-encounter': 'begins with fewer tokens',
  'modify-experience': 'actor and amount are demanded',
  'skill-check': 'actor and skill are demanded; who sees it goes by names that narrow',
  'ability-save': 'as skill-check',
  'ability-check': 'as skill-check',
  'death-save': 'as skill-check',
  'break-concentration': 'the actor is demanded',
  'concentration-save': 'actor and damage are demanded; who sees it goes by names that narrow',
  'short-rest': 'the actor is demanded; fewer hit dice are spent',
  'long-rest': 'the actor is demanded; all of it is restored in any case',
  'modify-item-charges': 'actor, item and amount are demanded',
  'equip-item': 'actor, item and state are demanded',
  'attune-item': 'actor, item and state are demanded',
  'transfer-currency': 'both actors and the coins are demanded',
  'modify-currency': 'actor, coin and amount are demanded',
  'prepare-spell': 'actor, spell and state are demanded',
  'use-ability': 'actor and ability are demanded; without a target it hits none',
  'use-feature': 'as use-ability',
  'use-spell': 'as use-ability; the slot is its lowest',
  'use-item': 'as use-ability',
  create: 'kind and data are demanded; without `override` what is there stays',
  update: 'the target is demanded, and nothing but the data changes',
  increase: 'target, attribute and amount are demanded',
  decrease: 'target, attribute and amount are demanded',
  'create-folder': 'name and kind are demanded; it stands at the top',
  'update-user': 'user and data are demanded',
  'add-effect': 'actor and effect are demanded',
  roll: 'the formula is demanded; who sees it goes by names that narrow',
  'macro-execute': 'the macro is demanded, and gets fewer arguments',
  'execute-js': 'the script is all',
  'upload-file': 'name and folder are demanded; without `overwrite` what is there stays',
  'create-scene': 'the data is all',
  'update-scene': 'scene and data are demanded',
  'switch-scene': 'the scene is demanded',
};

const namesOf = (list: readonly Operation[]) => list.map(({ name }) => name).sort();
const commands = operations.filter(({ kind, method }) => kind === 'command' && method !== 'DELETE');

test('every operation that does more with less refuses what it does not know, and no other does', () => {
  expect(namesOf(commands)).toEqual([...Object.keys(doesMore), ...Object.keys(doesNoMore)].sort());
  expect(namesOf(commands.filter(refusesUnknown))).toEqual(Object.keys(doesMore).sort());
});

test('every DELETE does, because it cannot be taken back, and no query does, because it changes nothing', () => {
  const ofMethod = (method: string) => operations.filter((operation) => operation.method === method);
  expect(namesOf(ofMethod('DELETE'))).toEqual([
    'chat-delete',
    'chat-flush',
    'delete',
    'delete-canvas-document',
    'delete-folder',
    'delete-scene',
    'delete-user',
    'remove-effect',
  ]);
  expect(ofMethod('DELETE').every(refusesUnknown)).toBe(true);
  expect(operations.filter(({ kind }) => kind === 'query').some(refusesUnknown)).toBe(false);
});

/** Parameters of other commands whose words sound like it, and that are harmless. */
const harmless = ['start-encounter name', 'use-spell level', 'upload-file source'];

test('a parameter whose description says what counts without it belongs to an operation that is marked', () => {
  const words = /\b(left out|without it|current|active one|whole|otherwise)\b/i;
  const telling = commands
    .filter((operation) => !refusesUnknown(operation))
    .flatMap(({ name, parameters }) =>
      Object.entries(parameters).map(([parameter, schema]) => [`${name} ${parameter}`, schema] as const),
    )
    .filter(([, schema]) => words.test((schema as { description?: string }).description ?? ''))
    .map(([parameter]) => parameter)
    .filter((parameter) => !harmless.includes(parameter));
  expect(telling).toEqual([]);
});
