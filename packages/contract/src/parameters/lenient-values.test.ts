import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import { isNarrowing } from './narrows.ts';
import { readerOf } from './operation-reader.ts';
import { readParameters, readPayload } from './read-parameters.ts';
import { errorsOf, messageOf, wireOf } from '../../test/reading.ts';

const check = { actorUuid: 'Actor.mira', skill: 'prc' };

describe('a value is read as it was meant', () => {
  test.each([true, 'true', 'True', 'TRUE', '1'])('%j is true, in every place', (advantage) => {
    expect(wireOf('skill-check', { body: { ...check, advantage } }).advantage).toBe(true);
    expect(wireOf('skill-check', { query: { ...check, advantage } }).advantage).toBe(true);
  });

  test.each([false, 'false', 'False', '0'])('%j is false, in every place', (createChatMessage) => {
    expect(wireOf('skill-check', { body: { ...check, createChatMessage } }).createChatMessage).toBe(false);
    expect(wireOf('roll', { query: { formula: '1d4', createChatMessage } }).createChatMessage).toBe(false);
  });

  test.each(['yes', 'on', 'no', ' true', '01', 'null'])('%j is neither', (advantage) => {
    expect(messageOf('skill-check', { body: { ...check, advantage } }, 'advantage')).toBe(
      'must be `true` or `false`',
    );
  });

  test('a number as text is one where the schema wants one, at any depth', () => {
    const step = { uuid: 'Actor.mira', attribute: 'system.attributes.hp.value', amount: '-1.5' };
    expect(wireOf('increase', { body: step }).amount).toBe(-1.5);
    const coins = { sourceActorUuid: 'a', targetActorUuid: 'b', currency: { gp: '5' } };
    expect(wireOf('transfer-currency', { body: coins }).currency).toEqual({ gp: 5 });
    expect(wireOf('roll', { body: { formula: '20' } }).formula).toBe('20');
    expect(messageOf('increase', { body: { ...step, amount: '' } }, 'amount')).toBe('must be a number');
  });

  test.each([
    { types: 'Actor,Item' },
    { types: 'Actor, Item' },
    { types: '["Actor","Item"]' },
    { types: ['Actor', 'Item'] },
    { 'types[]': ['Actor', 'Item'] },
  ])('%j are two kinds, in every place', (given) => {
    expect(wireOf('structure', { query: given }).types).toEqual(['Actor', 'Item']);
    expect(wireOf('structure', { body: given }).types).toEqual(['Actor', 'Item']);
  });

  test('names may hold commas, so that what is whispered goes to one of that name', () => {
    expect(wireOf('roll', { body: { formula: '1d4', whisper: 'Ada, the GM' } }).whisper).toEqual([
      'Ada, the GM',
    ]);
    expect(wireOf('roll', { query: { formula: '1d4', 'whisper[]': 'Ada' } }).whisper).toEqual(['Ada']);
  });

  test.each(['Aktor', ['Actor', 'Aktor'], 'Actor,Aktor', 'actor', 'User'])(
    'the kind %j does not exist, and is no empty answer',
    (types) => {
      const [error] = errorsOf('structure', { query: { types } });
      expect(error?.message).toMatch(/^must be one of `Actor`/);
    },
  );

  test('a structure without kinds asks for all eight, also of one folder', () => {
    for (const query of [{}, { path: 'Folder.a' }, { types: null }])
      expect(wireOf('structure', { query }).types).toHaveLength(8);
    expect(wireOf('structure', { query: { types: 'Macro' } }).types).toEqual(['Macro']);
  });
});

describe('names of other relays', () => {
  test('count as our own', () => {
    expect(wireOf('search', { query: { type: 'Actor' } }).filter).toBe('Actor');
    expect(wireOf('roll', { body: { formula: '1d4', chatMessage: 'false' } }).createChatMessage).toBe(false);
    expect(errorsOf('search', { query: { type: 'Actor', filter: 'Item' } })).toHaveLength(1);
  });

  test('never win over a narrower value in another place', () => {
    const source = { query: { createChatMessage: 'false' }, body: { formula: '1d4', chatMessage: true } };
    expect(errorsOf('roll', source)).toMatchObject([{ field: 'createChatMessage', place: 'body' }]);
    const same = { query: { createChatMessage: 'false' }, body: { formula: '1d4', chatMessage: false } };
    expect(wireOf('roll', same).createChatMessage).toBe(false);
  });

  test('say how a file is answered, and the world is not told', () => {
    const query = { path: 'a.txt', source: 'data', format: 'base64' };
    expect(wireOf('download-file', { query })).toEqual({ path: 'a.txt', source: 'data' });
  });
});

describe('none', () => {
  test('is null, or an empty text where the schema takes none', () => {
    const given = { ...check, bonus: null, advantage: null, disadvantage: '' };
    expect(wireOf('skill-check', { body: given })).toEqual(wireOf('skill-check', { body: check }));
    expect(wireOf('structure', { query: { path: '' } })).not.toHaveProperty('path');
    expect(wireOf('search', { query: { query: '', limit: '' } })).toMatchObject({ query: '', limit: 200 });
    expect(wireOf('create', { body: { entityType: 'Actor', data: {}, folder: null } })).not.toHaveProperty(
      'folder',
    );
  });

  test('null is no encounter, and an empty text is none that was filled in', () => {
    expect(wireOf('next-turn', { body: { encounter: null } })).toEqual({});
    for (const source of [{ body: { encounter: '' } }, { query: { encounterId: '' } }])
      expect(messageOf('next-turn', source, 'encounter')).toMatch(/^must be a string/);
  });

  test('of a body hides nothing of the query', () => {
    const source = { query: { encounter: 'ambush' }, body: { encounter: null } };
    expect(wireOf('next-turn', source)).toEqual({ encounterId: 'ambush' });
  });

  test('is nothing that a required parameter may be', () => {
    expect(messageOf('skill-check', { body: { ...check, actorUuid: null } }, 'actorUuid')).toBeDefined();
    expect(messageOf('skill-check', { body: { ...check, actorUuid: '' } }, 'actorUuid')).toBeDefined();
  });
});

describe.each(operations)('$name', (operation) => {
  const { fields } = readerOf(operation);
  const { parameters } = operation.example;
  const read = (more: object) => readPayload(operation, { ...parameters, ...more });

  test('takes neither null nor an empty text for a name that narrows', () => {
    for (const { name } of fields.filter((field) => isNarrowing(field.name)))
      for (const value of [null, ''])
        expect([name, value, read({ [name]: value }).ok]).toEqual([name, value, false]);
  });

  test('takes no empty text for what picks the target of a command', () => {
    const groups = [...(operation.identifiedBy ?? []), ...(operation.prefers ?? [])].flat(2);
    const picking = operation.kind === 'command' ? [...groups, ...(operation.needsOneOf ?? [])] : [];
    for (const name of picking)
      expect([name, read({ [name]: '' }).ok || !fields.some((field) => field.name === name)]).toEqual([
        name,
        false,
      ]);
  });

  test('reads as given whatever its schemas take', () => {
    fc.assert(
      fc.property(fc.subarray(Object.entries(parameters)), (some) => {
        const given = Object.fromEntries(some);
        const reading = readParameters(operation, { body: given });
        expect(reading.ok ? { ...given, ...reading.parameters } : reading.errors.length > 0).toEqual(
          reading.ok ? given : true,
        );
      }),
      { numRuns: 20 },
    );
  });
});

test('what stands in a text is held to the same shape as a body', () => {
  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
  for (const data of [deep, '{"__proto__":{"role":4}}'])
    expect(errorsOf('update-user', { body: { id: 'ben', data } })).toHaveLength(1);
});
