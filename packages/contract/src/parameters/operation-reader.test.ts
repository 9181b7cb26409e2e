import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { onWire, query } from '../operations/operation-definition.ts';
import { listOperations } from '../operations/operation.ts';
import { readPayload } from './read-parameters.ts';

/** An operation of each test's own, because its reader is made once. */
function newOperation() {
  const [operation] = listOperations({
    name: 'notes',
    title: 'Notes',
    prefix: '',
    definitions: {
      note: query({
        summary: 'Note',
        scope: 'entity:read',
        parameters: {
          uuid: Type.Optional(onWire('noteUuid', Type.String())),
          flags: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          either: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
          several: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
          names: Type.Optional(Type.Array(Type.String())),
        },
        result: Type.Object({}),
        example: { parameters: {}, result: {} },
      }),
    },
  });
  return operation!;
}

const errorsIn = (payload: object) => {
  const reading = readPayload(newOperation(), payload);
  return reading.ok ? [] : reading.errors;
};

test('two names of one parameter that disagree are refused', () => {
  expect(errorsIn({ uuid: 'a', noteUuid: 'a' })).toEqual([]);
  expect(errorsIn({ uuid: 'a', noteUuid: 'b' })).toEqual([
    { field: 'noteUuid', message: 'must equal `uuid`: they are two names of one parameter' },
  ]);
});

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

test.each([
  ['flags', (value: unknown) => value],
  ['either', (value: unknown) => value],
  ['several', (value: unknown) => [value]],
])('what a schema leaves open in `%s` may be nested 32 levels deep at most', (name, around) => {
  const levels = name === 'several' ? 31 : 32;
  expect(errorsIn({ [name]: around(nested(levels)) })).toEqual([]);
  expect(errorsIn({ [name]: around(nested(levels + 1)) })).toEqual([
    { field: name, message: 'is nested too deep' },
  ]);
});

test('what a schema says all of is refused for what it is, unless it is nested deeper', () => {
  const [error] = errorsIn({ names: [nested(31)] });
  expect(error).toMatchObject({
    field: 'names.0',
    message: expect.stringMatching(/^must be a string/) as unknown,
  });
  expect(errorsIn({ names: [nested(32)] })).toEqual([{ field: 'names', message: 'is nested too deep' }]);
});
