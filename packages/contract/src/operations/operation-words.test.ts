import { expect, test } from 'vitest';
import { operations } from './index.ts';
import { pastWords, triedWords } from './operation-words.ts';

const wordsOf = (name: string) => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return [pastWords(operation), triedWords(operation)];
};

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s is told in words, so the verb of its summary is known',
  (_name, operation) => {
    expect(pastWords(operation)).not.toMatch(/^called /);
  },
);

test.each([
  ['next-turn', 'went to the next turn', 'tried to go to the next turn'],
  ['equip-item', 'equipped or stowed an item', 'tried to equip or stow an item'],
  ['attune-item', 'attuned an item or ended its attunement', 'tried to attune an item or end its attunement'],
  ['short-rest', 'took a short rest', 'tried to take a short rest'],
])('%s reads well', (name, ...words) => {
  expect(wordsOf(name)).toEqual(words);
});

test('an operation whose verb is not known is told by its name', () => {
  expect(pastWords({ name: 'somersault', summary: 'Somersault twice' })).toBe('called somersault');
});
