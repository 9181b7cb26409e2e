import { expect, it } from 'vitest';
import { strengthOf } from './strength.ts';

it.each([
  ['', 'Too short: 10 more characters', 'bad'],
  ['nine char', 'Too short: 1 more character', 'bad'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Weak: the same few characters', 'bad'],
  ['abcdabcdabcd', 'Weak: the same few characters', 'bad'],
  ['abcdeabcdeab', 'Fair, if nobody can guess it', 'warn'],
  ['ten of them', 'Fair, if nobody can guess it', 'warn'],
  ['a few words in a row', 'Long enough', 'good'],
  // Characters are code points: ten signs of two code units each are ten.
  ['🐉🎲🗝🏰⚔🛡🧙🐺🌊🔥', 'Fair, if nobody can guess it', 'warn'],
])('of %j it says %j', (password, words, tone) => {
  expect(strengthOf(password)).toMatchObject({ words, tone });
});

it('shows how far it is, and never as more than whole', () => {
  const shares = ['', 'five5', 'ten of them', 'a few words in a row', 'x1y2z3'.repeat(20)].map(
    (password) => strengthOf(password).share,
  );
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  expect(strengthOf('a'.repeat(100)).share).toBe(0.4);
});
