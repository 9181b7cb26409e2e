import { describe, expect, it } from 'vitest';
import type { Schema } from './document.ts';
import { fieldsOf, sampleOf, typeOf } from './schema-fields.ts';

const point: Schema = {
  type: 'object',
  description: 'A place.',
  required: ['x'],
  properties: { x: { type: 'integer' }, y: { type: 'number', default: 0, description: 'Down.' } },
};
const schemas = { Point: point, Place: { $ref: '#/components/schemas/Point' } };
const place: Schema = { $ref: '#/components/schemas/Place' };

describe('a schema in a few words', () => {
  it.each<[string, Schema]>([
    ['anything', {}],
    ['string', { type: 'string' }],
    ['time', { type: 'string', format: 'date-time' }],
    ['"a"', { const: 'a', type: 'string' }],
    ['0', { const: 0 }],
    ['"a" or 1', { enum: ['a', 1] }],
    ['"a" or "b"', { enum: ['a', 'b'], description: '`a` or `b`' }],
    ['one of these', { enum: ['a', 'b', 'c'], description: '`a`, `b`, `c`.' }],
    ['"a" or "b" or "c"', { enum: ['a', 'b', 'c'], description: '`a`, `b`.' }],
    ['integer, 1 to 10', { type: 'integer', minimum: 1, maximum: 10 }],
    ['integer, at least 0', { type: 'integer', minimum: 0 }],
    ['number, at most 5', { type: 'number', maximum: 5 }],
    ['string, 1 to 9 characters', { type: 'string', minLength: 1, maxLength: 9 }],
    ['string, at least 2 characters', { type: 'string', minLength: 2 }],
    ['string', { type: 'string', minLength: 1 }],
    ['string, at most 9 characters', { type: 'string', maxLength: 9 }],
    ['list of anything', { type: 'array' }],
    ['list of string, at most 3 elements', { type: 'array', items: { type: 'string' }, maxItems: 3 }],
    ['list of object', { type: 'array', items: place, minItems: 1 }],
    ['object or null', { anyOf: [place, { type: 'null' }] }],
    ['anything', { $ref: '#/components/schemas/Nothing' }],
  ])('is %s', (words, schema) => {
    expect(typeOf(schema, schemas)).toBe(words);
  });
});

describe('the fields of an object', () => {
  it('stand from the outside in, with those of lists, references and what may be null', () => {
    const schema: Schema = {
      required: ['way'],
      properties: {
        way: { type: 'array', items: place, description: 'Where to.' },
        from: { anyOf: [{ type: 'null' }, place] },
        names: { type: 'array', items: { type: 'string' } },
        either: { anyOf: [place, { type: 'string' }] },
      },
    };
    const inner = [
      { name: 'x', depth: 1, type: 'integer', isRequired: true, description: '' },
      { name: 'y', depth: 1, type: 'number', isRequired: false, description: 'Down.', default: 0 },
    ];
    expect(fieldsOf(schema, schemas)).toEqual([
      { name: 'way[]', depth: 0, type: 'list of object', isRequired: true, description: 'Where to.' },
      ...inner,
      { name: 'from', depth: 0, type: 'null or object', isRequired: false, description: '' },
      ...inner,
      { name: 'names', depth: 0, type: 'list of string', isRequired: false, description: '' },
      { name: 'either', depth: 0, type: 'object or string', isRequired: false, description: '' },
    ]);
  });

  it('have the words beside a reference before those behind it', () => {
    const properties = { here: { ...place, description: 'Here.' }, there: place };
    expect(fieldsOf({ properties }, schemas).filter(({ depth }) => depth === 0)).toMatchObject([
      { name: 'here', description: 'Here.' },
      { name: 'there', description: 'A place.' },
    ]);
  });

  it('are listed five deep, also of an object that holds itself', () => {
    const nodes = { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } };
    const depths = fieldsOf({ $ref: '#/components/schemas/Node' }, nodes).map(({ depth }) => depth);
    expect(depths).toEqual([0, 1, 2, 3, 4]);
    expect(fieldsOf({ type: 'string' }, schemas)).toEqual([]);
  });
});

describe('a value that fits', () => {
  it.each<[unknown, Schema]>([
    [7, { type: 'integer', default: 7, minimum: 1 }],
    [false, { type: 'boolean', default: false }],
    ['a', { const: 'a' }],
    ['b', { enum: ['b', 'c'] }],
    [3, { anyOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] }],
    [1, { type: 'number' }],
    [0, { type: 'integer', minimum: 0 }],
    [true, { type: 'boolean' }],
    [null, { type: 'null' }],
    ['…', { type: 'string' }],
    ['2027-01-31T20:00:00Z', { type: 'string', format: 'date-time' }],
    [[], { type: 'array' }],
    [[{ x: 1 }], { type: 'array', items: place }],
    [{ x: 1 }, place],
    [{}, { type: 'object', properties: { a: { type: 'string' } } }],
  ])('is %j for %j', (value, schema) => {
    expect(sampleOf(schema, schemas)).toEqual(value);
  });
});
