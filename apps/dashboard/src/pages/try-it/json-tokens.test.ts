import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonTokens } from './json-tokens.ts';

test('colouring never changes the text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(
        jsonTokens(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text);
    }),
  );
  fc.assert(
    fc.property(
      fc.string(),
      (text) =>
        jsonTokens(text)
          .map((token) => token.text)
          .join('') === text,
    ),
  );
});

test('names, texts, numbers and words are told apart', () => {
  const tokens = jsonTokens('{"a": "b: \\"1\\"", "c": [-1.5e3, true, null]}');
  expect(tokens.filter(({ kind }) => kind !== 'other').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'name "a"',
    'text "b: \\"1\\""',
    'name "c"',
    'number -1.5e3',
    'word true',
    'word null',
  ]);
});
