import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { fieldErrors } from './field-errors.ts';

const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const said = (schema: TSchema, value: unknown) =>
  fieldErrors(Compile(schema), value).map(({ field, message }) => `${field} ${message}`);

test.each<[string, TSchema, unknown]>([
  ['must be a string', Type.String(), 1],
  ['must be a string of 10 to 128 characters', Type.String({ minLength: 10, maxLength: 128 }), 'short'],
  ['must be a string of at most 3 characters', Type.String({ maxLength: 3 }), 'long'],
  ['must be a string of at least 3 characters', Type.String({ minLength: 3 }), 'no'],
  ['must be a string (Upper case)', Type.String({ pattern: '^[A-Z]*$', description: 'Upper case.' }), 'a'],
  ['must be a time like `2026-01-31T12:00:00Z`', Type.String({ format: 'date-time' }), 'noon'],
  ['must be an integer from 1 to 200', Type.Integer({ minimum: 1, maximum: 200 }), 0],
  ['must be a number of at least 1', Type.Number({ minimum: 1 }), 0],
  ['must be a number of at most 1', Type.Number({ maximum: 1 }), 2],
  ['must be `true` or `false`', Type.Boolean(), 'true'],
  ['must be one of `a`, `b`', Type.Enum(['a', 'b']), 'c'],
  ['must be an integer or `null`', Type.Union([Type.Integer(), Type.Null()]), 'x'],
  [
    'must be an array of 1 to 2 elements, each element a string',
    Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
    [],
  ],
  ['must be a filled array, each element a string', Type.Array(Type.String(), { minItems: 1 }), []],
  ['must be an object of `a`', closed({ a: Type.String() }), 'text'],
])('a value of the wrong kind: %s', (message, schema, value) => {
  expect(said(closed({ it: schema }), { it: value })).toEqual([`it ${message}`]);
});

test('a missing field says what it must be, and an unknown one which are known', () => {
  const schema = closed({ name: Type.String(), limit: Type.Optional(Type.Integer()) });
  expect(said(schema, { nmae: 'x' }).toSorted()).toEqual([
    'name is required: a string',
    'nmae is unknown; known are `name`, `limit`',
  ]);
});

test('a body that changes nothing is told by the name of the whole', () => {
  const schema = Type.Partial(closed({ name: Type.String(), scopes: Type.Array(Type.String()) }), {
    minProperties: 1,
  });
  expect(said(schema, {})).toEqual(['request must be an object with at least one of `name`, `scopes`']);
});

test('of the elements with the same fault the first is named, by its path', () => {
  const schema = closed({ scopes: Type.Array(Type.Enum(['a'])) });
  expect(said(schema, { scopes: ['a', 'b', 'c'] })).toEqual(['scopes.1 must be one of `a`']);
});

test('an unknown name from outside is shortened, and marks of JSON pointers in it are kept', () => {
  const [long] = fieldErrors(Compile(closed({})), { ['x'.repeat(1000)]: 1 });
  expect(long?.field).toBe(`${'x'.repeat(64)}...`);
  expect(said(closed({}), { 'a~1b': 1 })[0]).toMatch(/^a~1b is unknown/);
});
