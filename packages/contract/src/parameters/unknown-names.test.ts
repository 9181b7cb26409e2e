import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import { refusesUnknown } from '../operations/operation.ts';
import type { Operation } from '../operations/operation.ts';
import { isNarrowing, narrows } from './narrows.ts';
import { readerOf } from './operation-reader.ts';
import { readParameters, readPayload } from './read-parameters.ts';
import { errorsOf, messageOf, operationOf } from '../../test/reading.ts';

const check = { actorUuid: 'Actor.mira', skill: 'prc' };

/** The example of an operation with one parameter more. */
const withName = (operation: Operation, name: string, value: unknown = 'x') =>
  readPayload(operation, { ...operation.example.parameters, [name]: value });

const refusalOf = (operation: Operation, name: string) => {
  const reading = withName(operation, name);
  return reading.ok ? undefined : reading.errors.find(({ field }) => field === name)?.message;
};

/** The ways in which programs of several languages, and people, write one name. */
const spellings = (name: string): string[] => [
  name.toLowerCase(),
  name.toUpperCase(),
  name.charAt(0).toUpperCase() + name.slice(1),
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  `_${name}`,
  `${name}_`,
  ` ${name}`,
  `${name}[]`,
  `${name}[0]`,
  `${name}.`,
  // In full width.
  Array.from(name, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join(''),
];

describe.each(operations)('$name', (operation) => {
  const { byName } = readerOf(operation);
  const known = (name: string) => byName.has(name);

  test('refuses what narrows a call and is none of its parameters, in every spelling', () => {
    const unknown = narrows.flatMap((name) => [name, ...spellings(name)]).filter((name) => !known(name));
    expect(unknown.filter((name) => refusalOf(operation, name) === undefined)).toEqual([]);
  });

  test('refuses other spellings of its own parameters, and names what was meant', () => {
    const own = Object.keys(operation.parameters).filter((name) => name.length > 2);
    const misspelt = own.flatMap(spellings).filter((each) => !known(each));
    for (const each of misspelt)
      expect([each, refusalOf(operation, each)]).toEqual([each, expect.stringContaining('did you mean `')]);
    expect(misspelt.length).toBeGreaterThanOrEqual(own.length);
  });

  test('sends to the world the same with a name that it ignores as without it', () => {
    const plain = withName(operation, 'userId', 'cleo');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...narrows)), fc.jsonValue(), (name, value) => {
        const { parameters } = operation.example;
        const reading = readPayload(operation, { ...parameters, userId: 'cleo', [name]: value });
        if (!reading.ok || known(name)) return;
        expect(isNarrowing(name)).toBe(false);
        expect(reading).toEqual({ ...plain, ignored: [name] });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a near miss', () => {
  test.each([
    ['userid', 'userId'],
    ['user_id', 'userId'],
    ['userIds', 'userId'],
    ['usreId', 'userId'],
    ['UserID', 'userId'],
    ['clientid', 'clientId'],
    ['skil', 'skill'],
    ['sklil', 'skill'],
    ['actorUid', 'actorUuid'],
    ['actor_uuid', 'actorUuid'],
    ['advntge', 'advantage'],
    ['bonsu', 'bonus'],
    ['createChatMesage', 'createChatMessage'],
    ['chat_message', 'createChatMessage'],
  ])('%s is told as %s', (name, meant) => {
    expect(messageOf('skill-check', { body: { ...check, [name]: 'x' } }, name)).toBe(
      `is unknown (did you mean \`${meant}\`?)`,
    );
    expect(errorsOf('skill-check', { query: { [name]: 'x' }, body: check })).toHaveLength(1);
  });

  test.each(['_', 't', 'xy', 'ts', 'mood', 'skillset', 'boost', 'advan', 'cacheBuster', 'v2'])(
    '%s is none: it is ignored and named',
    (name) => {
      const reading = readParameters(operationOf('skill-check'), { query: { [name]: '1' }, body: check });
      expect(reading).toMatchObject({ ok: true, ignored: [name] });
    },
  );

  test('a name of two letters is near to none', () => {
    expect(withName(operationOf('get-user'), 'ID')).toMatchObject({ ok: true, ignored: ['ID'] });
  });

  test('a name that is given in query and body is named once', () => {
    const source = { query: { ...check, mood: 1 }, body: { mood: 2, verbose: true } };
    expect(readParameters(operationOf('skill-check'), source)).toMatchObject({
      ignored: ['mood', 'verbose'],
    });
  });
});

test.each(operations.filter((operation) => !refusesUnknown(operation)))(
  '$name: names that all objects have are refused, and no other value is taken for them',
  (operation) => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty', '__defineGetter__']) {
      const payload = JSON.parse(`{"${name}":{"userId":"gm"}}`) as object;
      const reading = readPayload(operation, { ...operation.example.parameters, ...payload });
      expect([name, reading.ok]).toEqual([name, false]);
    }
  },
);
