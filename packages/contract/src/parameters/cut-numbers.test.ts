import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import type { ParameterOptions } from '../operations/operation-definition.ts';
import { readParameters, readPayload } from './read-parameters.ts';

const lists = operations.flatMap((operation) =>
  Object.entries(operation.parameters).flatMap(([name, schema]) => {
    const { cut, maximum = Number.NaN } = schema as ParameterOptions & { maximum?: number };
    return cut ? [{ operation, name, most: maximum }] : [];
  }),
);

test('the lists of worlds cut their `limit`', () => {
  expect(lists.map(({ operation, name, most }) => [operation.name, name, most])).toEqual([
    ['search', 'limit', 500],
    ['rolls', 'limit', 20],
    ['chat-messages', 'limit', 500],
  ]);
});

describe.each(lists)('$operation.name', ({ operation, name, most }) => {
  test.each([most + 1, 1e9, String(most + 1), '1e9'])(
    'a limit of %j counts as the most, and is named',
    (given) => {
      for (const reading of [
        readParameters(operation, { query: { [name]: String(given) } }),
        readParameters(operation, { body: { [name]: given } }),
        readParameters(operation, { query: { [name]: String(given) }, body: {} }),
        readPayload(operation, { [name]: given }),
      ])
        expect(reading).toMatchObject({ ok: true, wire: { [name]: most }, ignored: [name] });
    },
  );

  test('a limit that there may be is none of that, and below it nothing is cut', () => {
    for (const given of [1, most])
      expect(readPayload(operation, { [name]: given })).toMatchObject({
        wire: { [name]: given },
        ignored: [],
      });
    for (const given of [0, -1, 1.5, 'many', [most + 1], true])
      expect(readPayload(operation, { [name]: given })).toMatchObject({
        ok: false,
        errors: [{ field: name }],
      });
  });
});
