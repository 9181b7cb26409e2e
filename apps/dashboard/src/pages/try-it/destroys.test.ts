import { operations } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { destroyWords } from './destroys.ts';
import { readForm, startForm } from './form/call-form.ts';

const named = (name: string) => operations.find((operation) => operation.name === name)!;

test.each([
  ['delete', { uuid: 'JournalEntry.rumours' }, 'Delete JournalEntry.rumours'],
  ['delete', { selected: true }, 'Delete what is selected'],
  ['remove', { actorUuid: 'Actor.mira', itemName: 'Spellbook' }, 'Take Spellbook'],
  ['delete-canvas-document', { documentId: 'gate', sceneId: 'crypt', documentType: 'walls' }, 'Take gate'],
  ['chat-flush', {}, 'Delete the whole chat'],
  ['execute-js', { script: 'return 1' }, 'Run a script'],
])('%s with %j is called “%s”', (name, parameters, words) => {
  expect(destroyWords(named(name), parameters)).toBe(words);
});

test('nothing that may be destroyed stands in a form before somebody writes it there', () => {
  const destroying = operations.filter(({ effect }) => effect === 'destroys');
  expect(destroying.length).toBeGreaterThan(5);
  for (const operation of destroying) expect(readForm(startForm(operation)).parameters).toEqual({});
  expect(readForm(startForm(named('skill-check'))).parameters).not.toEqual({});
});
