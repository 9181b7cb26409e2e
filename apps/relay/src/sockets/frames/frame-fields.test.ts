import { expect, test } from 'vitest';
import { parseObject, textIn } from './frame-fields.ts';

test.each([
  ['a text', 'a text'],
  [7, '7'],
  ['x'.repeat(8_192), 'x'.repeat(8_192)],
  ['x'.repeat(8_193), ''],
  [true, ''],
  [null, ''],
  [{ name: 'x' }, ''],
  [undefined, ''],
])('of %j in a frame the text is %j', (value, text) => {
  expect(textIn({ field: value }, 'field')).toBe(text);
});

test.each(['[]', 'null', '7', '"text"', '{', ''])('%j is no object', (text) => {
  expect(parseObject(text)).toBeUndefined();
});
