import * as fc from 'fast-check';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { describeFaults, fieldErrors } from './field-errors.ts';
import { operations } from '../operations/index.ts';
import { readParameters } from '../parameters/read-parameters.ts';

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
  ['must be an object of `a`', closed({ a: Type.String() }, { anyOf: [{ required: ['a'] }] }), 'text'],
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

test('no more than twenty faults are told, however many there are', () => {
  const names = Array.from({ length: 30 }, (_, index) => `field${index}`);
  const fault = { keyword: 'additionalProperties', schemaPath: '#', instancePath: '' };
  const faults = [{ ...fault, params: { additionalProperties: names } }];
  expect(describeFaults(closed({}), faults, 'body')).toHaveLength(20);
});

test('a value that a schema refuses always has something said against it, however early the validator stops', () => {
  const number = Type.Integer({ minimum: 1 });
  const schema = closed({
    coins: Type.Optional(closed({ gp: Type.Optional(number) })),
    ids: Type.Optional(Type.Union([Type.Array(number), Type.Null()])),
    anyOf: Type.Optional(closed({ properties: number })),
  });
  const validator = Compile(schema);
  const lists = fc.array(fc.integer({ max: 0 }), { minLength: 9 });
  const odd = fc.oneof(fc.jsonValue(), lists, fc.dictionary(fc.string(), fc.integer(), { minKeys: 9 }));
  fc.assert(
    fc.property(fc.record({ coins: odd, ids: odd, anyOf: odd }, { requiredKeys: [] }), (value) => {
      expect(fieldErrors(validator, value).length > 0).toBe(!validator.Check(value));
    }),
  );
});

test('a fault within a union is told of the whole union', () => {
  const schema = closed({ ids: Type.Union([Type.Array(Type.Integer()), Type.Null()]) });
  expect(said(schema, { ids: Array(20).fill('x') })).toEqual([
    'ids must be an array, each element an integer or `null`',
  ]);
});

test('a call is refused for unknown names inside a parameter, also where they are many', () => {
  const transfer = operations.find(({ name }) => name === 'transfer-currency')!;
  const currency = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`coin${index}`, 1]));
  const reading = readParameters(transfer, { body: { ...transfer.example.parameters, currency } });
  expect(reading).toMatchObject({
    ok: false,
    errors: [{ field: 'currency.coin0' }, {}, {}, {}, {}, {}, {}, {}],
  });
});

test('of the elements far down a list the first with a fault is named, too', () => {
  const schema = closed({ scopes: Type.Array(Type.Enum(['a'])) });
  const scopes = Array.from({ length: 14 }, (_, index) => (index < 11 ? 'a' : 'b'));
  expect(said(schema, { scopes })).toEqual(['scopes.11 must be one of `a`']);
});

test.each<[string, TSchema, unknown, string]>([
  ['an element', Type.Array(Type.Union([Type.Integer(), Type.Null()])), [1, 'x'], 'it.1'],
  [
    'a value of a record',
    Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()])),
    { a: 'x' },
    'it.a',
  ],
  [
    'a value of an open object',
    Type.Object({}, { additionalProperties: Type.Union([Type.Integer(), Type.Null()]) }),
    { a: 'x' },
    'it.a',
  ],
  [
    'a field within an element',
    Type.Array(closed({ anyOf: Type.Union([Type.Integer(), Type.Null()]) })),
    [{ anyOf: 'x' }],
    'it.0.anyOf',
  ],
])('a fault of a union in %s names where the union stands', (_what, schema, value, field) => {
  expect(said(closed({ it: schema }), { it: value })).toEqual([`${field} must be an integer or \`null\``]);
});
