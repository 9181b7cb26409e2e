import { expect, test } from 'vitest';
import { operations } from './index.ts';
import { pastWords, triedWords } from './operation-words.ts';

const wordsOf = (name: string) => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return [pastWords(operation), triedWords(operation)];
};

test.each([
  ['next-turn', 'went to the next turn', 'tried to go to the next turn'],
  ['equip-item', 'equipped or stowed an item', 'tried to equip or stow an item'],
  ['attune-item', 'attuned an item or ended its attunement', 'tried to attune an item or end its attunement'],
  ['short-rest', 'took a short rest', 'tried to take a short rest'],
])('%s reads well', (name, ...words) => {
  expect(wordsOf(name)).toEqual(words);
});

test.each([
  ['Somersault twice', 'somersaulted twice'],
  ['Sum up what an actor carries', 'summed up what an actor carries'],
  ['Open a door', 'opened a door'],
  ['Copy a scene, and name it', 'copied a scene, and named it'],
  ['Play a sound', 'played a sound'],
  ['Play, and repeat it', 'played, and repeated it'],
  ['Re-roll a check', 're-rolled a check'],
  ['Lock or unlock the doors', 'locked or unlocked the doors'],
  ['Lock or unlock doors', 'locked or unlocked doors'],
  ['List orders open today', 'listed orders open today'],
  ['Read an actor’s items and more', 'read an actor’s items and more'],
  ['Set the volume of a playlist, or of one sound', 'set the volume of a playlist, or of one sound'],
  ['List folders and all their documents', 'listed folders and all their documents'],
  ['Tell whether an actor concentrates, and on what', 'asked whether an actor concentrates, and on what'],
])('"%s" is told as "%s"', (summary, words) => {
  expect(pastWords({ summary })).toBe(words);
});
