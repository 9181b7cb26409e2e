import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer, keyIdLength, newSealKey, openUnder, sealUnder } from './seal.ts';

const sealer = createSealer(['a secret for tests; long enough.']);

test('what was sealed opens under the same context, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(sealer.open(sealer.seal(text, context), context)).toBe(text);
    }),
  );
});

test('it opens under no other context and with no other secret', () => {
  const sealed = sealer.seal('text', 'totp one');
  expect(sealer.open(sealed, 'totp two')).toBeUndefined();
  expect(createSealer(['another secret, as long as that.']).open(sealed, 'totp one')).toBeUndefined();
});

test('with any bit changed it does not open', () => {
  const sealed = Buffer.from(sealer.seal('text', 'c'), 'base64url');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(sealer.open(changed.toString('base64url'), 'c'), `bit ${bit}`).toBeUndefined();
  }
});

test('it has one spelling, so that what was used once is known again', () => {
  const sealed = sealer.seal('12', 'c');
  for (const other of [
    `${sealed}=`,
    `${sealed} `,
    ` ${sealed}`,
    sealed.replace(/.$/, (last) => `\n${last}`),
  ]) {
    expect(sealer.open(other, 'c')).toBeUndefined();
  }
});

test('it names its key, and two seals of one text differ', () => {
  const [one, two] = [sealer.seal('text', 'c'), sealer.seal('text', 'c')];
  expect(one.slice(0, 8)).toBe(two.slice(0, 8));
  expect(one).not.toBe(two);
  const other = createSealer(['another secret, as long as that.']).seal('text', 'c');
  expect(other.slice(0, 8)).not.toBe(one.slice(0, 8));
});

test.each(['', 'x', 'nonsense'])('%j is nothing that was sealed', (text) => {
  expect(sealer.open(text, 'c')).toBeUndefined();
});

test('cut at any length it does not open, also where its key can still be read', () => {
  const sealed = sealer.seal('', 'c');
  for (let length = 0; length < sealed.length; length++)
    expect(sealer.open(sealed.slice(0, length), 'c'), `${length} characters`).toBeUndefined();
});

test('with several secrets the first seals and each opens, until it is dropped', () => {
  const [old, next] = ['the secret before, as long as that.', 'the secret after, as long as that..'] as const;
  const [before, after] = [createSealer([old, next]), createSealer([next, old])];
  const [first, second] = [before.seal('text', 'c'), after.seal('text', 'c')];
  expect([after.open(first, 'c'), before.open(second, 'c')]).toEqual(['text', 'text']);
  expect([first, second].map((sealed) => sealed.slice(0, keyIdLength))).toEqual(before.keyIds);
  expect(after.keyIds).toEqual(before.keyIds.toReversed());
  expect(createSealer([next]).open(first, 'c')).toBeUndefined();
  expect(createSealer([next]).open(second, 'c')).toBe('text');
  // A text that names one key and was sealed with another opens under neither.
  expect(after.open(second.slice(0, keyIdLength) + first.slice(keyIdLength), 'c')).toBeUndefined();
});

test('only the key that sealed a text opens it, and only whole', () => {
  const key = newSealKey();
  const sealed = sealUnder(key, 'pässword');
  expect(openUnder(key, sealed)).toBe('pässword');
  expect(openUnder(newSealKey(), sealed)).toBeUndefined();
  const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
  for (const broken of ['', 'x', sealed.slice(0, -2), changed]) {
    expect(openUnder(key, broken)).toBeUndefined();
  }
});

test('two seals of one text cannot be told to be of one text', () => {
  const key = newSealKey();
  expect(sealUnder(key, 'a')).not.toBe(sealUnder(key, 'a'));
});
