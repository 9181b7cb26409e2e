import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { textReader } from './operation-reader.ts';

const text = Type.String();
const either = Type.Union([Type.Boolean(), Type.Number()]);
const textOrList = Type.Union([text, Type.Array(Type.Number())]);

test.each<[string, TSchema, unknown, unknown]>([
  ['true', Type.Boolean(), 'true', true],
  ['false', Type.Boolean(), 'false', false],
  ['no boolean', Type.Boolean(), 'yes', 'yes'],
  ['nothing for a boolean', Type.Boolean(), '', ''],
  ['a number', Type.Number(), '-1.5e2', -150],
  ['an integer', Type.Integer(), '20', 20],
  ['no number', Type.Number(), '20 ', '20 '],
  ['a number that is one', Type.Number(), 20, 20],
  ['text', text, '20', '20'],
  ['an object', Type.Object({}), '{"a":1}', { a: 1 }],
  ['no object', Type.Object({}), '{a}', '{a}'],
  ['an object that is one', Type.Object({}), { a: 1 }, { a: 1 }],
  ['a list', Type.Array(Type.Number()), ' [1,2]', [1, 2]],
  ['a list of one', Type.Array(Type.Number()), '1', [1]],
  ['a list that is repeated', Type.Array(Type.Boolean()), ['true', 'x'], [true, 'x']],
  ['a list of anything', Type.Array(Type.Any()), ['1', '2'], ['1', '2']],
  ['no list', Type.Array(Type.Number()), 7, 7],
  ['the first that can be read', either, 'true', true],
  ['the second that can be read', either, '5', 5],
  ['none that can be read', either, 'x', 'x'],
  ['one that is repeated', either, ['true'], ['true']],
  ['text where text will do', textOrList, '5', '5'],
  ['a list where text will do', textOrList, ' [5]', [5]],
  ['an object where text will do', textOrList, '{"a":1}', { a: 1 }],
])('%s is read by its schema', (_what, schema, value, read) => {
  expect(textReader(schema)(value)).toEqual(read);
});
