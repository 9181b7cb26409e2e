import { expect, it } from 'vitest';
import { newSealKey, openSealed, seal } from './seal.ts';

it('only the key that sealed a text opens it, and only whole', () => {
  const key = newSealKey();
  const sealed = seal(key, 'pässword');
  expect(openSealed(key, sealed)).toBe('pässword');
  expect(openSealed(newSealKey(), sealed)).toBeUndefined();
  const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
  for (const broken of ['', 'x', sealed.slice(0, -2), changed]) {
    expect(openSealed(key, broken)).toBeUndefined();
  }
});

it('two seals of one text cannot be told to be of one text', () => {
  const key = newSealKey();
  expect(seal(key, 'a')).not.toBe(seal(key, 'a'));
});
