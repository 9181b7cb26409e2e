import { expect, it } from 'vitest';
import { strengthOf } from './strength.ts';

it.each([
  ['', 'Too short: 10 more characters', 'bad'],
  ['nine char', 'Too short: 1 more character', 'bad'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Weak: the same few characters', 'bad'],
  ['ten of them', 'Fair, if nobody can guess it', 'warn'],
  ['a few words in a row', 'Long enough', 'good'],
  // Characters are code points: ten signs of two code units each are ten.
  ['🐉🎲🗝🏰⚔🛡🧙🐺🌊🔥', 'Fair, if nobody can guess it', 'warn'],
])('of %j it says %j', (password, words, tone) => {
  expect(strengthOf(password)).toMatchObject({ words, tone });
});
