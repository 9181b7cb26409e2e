import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { command, onWire, query } from '../operations/operation-definition.ts';
import { listOperations } from '../operations/operation.ts';
import { textReader } from './operation-reader.ts';
import { readParameters } from './read-parameters.ts';

describe('a parameter of the path', () => {
  const [run] = listOperations({
    name: 'macros',
    title: 'Macros',
    prefix: '',
    definitions: {
      run: command({
        effect: 'changes',
        summary: 'Run a macro',
        scope: 'entity:write',
        path: '/macro/:level/:uuid',
        parameters: { level: Type.Integer({ minimum: 1 }), uuid: onWire('macroUuid', Type.String()) },
        result: Type.Object({}),
        example: { parameters: { level: 1, uuid: 'Macro.a' }, result: {} },
      }),
    },
  });

  test('is coerced and sent under its name on the wire', () => {
    expect(readParameters(run!, { path: { level: '2', uuid: 'Macro.a' } })).toMatchObject({
      ok: true,
      wire: { level: 2, macroUuid: 'Macro.a' },
    });
  });

  test('is refused in any other place, and named with its place where it is wrong', () => {
    const reading = readParameters(run!, {
      path: { level: 'x', uuid: 'Macro.a' },
      query: { uuid: 'Macro.b' },
      body: { macroUuid: 'Macro.c' },
    });
    expect(reading).toEqual({
      ok: false,
      errors: [
        { field: 'uuid', place: 'query', message: 'belongs in the path' },
        { field: 'macroUuid', place: 'body', message: 'belongs in the path' },
        { field: 'level', place: 'path', message: 'must be an integer of at least 1' },
      ],
    });
  });
});

describe('alternatives of several parameters', () => {
  const number = Type.Optional(Type.Number());
  const [measure] = listOperations({
    name: 'canvas',
    title: 'Canvas',
    prefix: '',
    definitions: {
      measure: query({
        summary: 'Measure',
        scope: 'entity:read',
        parameters: { x: number, y: number, uuid: Type.Optional(Type.String()) },
        identifiedBy: [[['x', 'y'], 'uuid']],
        result: Type.Object({}),
        example: { parameters: { uuid: 'Token.a' }, result: {} },
      }),
    },
  });

  test('count where all of them are given', () => {
    const wireOfMeasure = (query: object) => {
      const reading = readParameters(measure!, { query });
      return reading.ok ? reading.wire : reading.errors;
    };
    expect(wireOfMeasure({ x: '1', y: '2', uuid: 'a' })).toEqual({ x: 1, y: 2 });
    expect(wireOfMeasure({ x: '1', uuid: 'a' })).toEqual({ uuid: 'a' });
    expect(wireOfMeasure({ x: '1' })).toEqual([
      { field: 'x', message: 'is missing: give one of `x` with `y`, `uuid`' },
    ]);
  });
});

test.each([
  ['Folder.a', 'Folder.a'],
  ['["a","b"]', ['a', 'b']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['[x', '[x'],
])('text or a list of it is read from %j', (given, read) => {
  const either = Type.Union([Type.String(), Type.Array(Type.String())]);
  expect(textReader(either)(given)).toEqual(read);
});
