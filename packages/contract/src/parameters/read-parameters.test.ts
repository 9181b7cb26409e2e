import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesOf, refusesUnknown } from '../operations/operation.ts';
import type { Place } from '../operations/operation.ts';
import { operations } from '../operations/index.ts';
import { readParameters, readPayload } from './read-parameters.ts';
import { errorsOf, messageOf, operationOf, wireOf } from '../../test/reading.ts';

const check = { actorUuid: 'Actor.mira', skill: 'prc' };

describe('every operation', () => {
  test.each(operations)('$name: its example is accepted where its parameters may stand', (operation) => {
    const { parameters } = operation.example;
    const source: Record<Place, Record<string, unknown>> = { path: {}, query: {}, body: {} };
    for (const [name, value] of Object.entries(parameters)) {
      const place = placesOf(operation, name).at(-1)!;
      source[place][name] = place === 'body' ? value : asText(value);
    }
    expect(readParameters(operation, source)).toMatchObject({ ok: true, parameters });
  });

  test.each(operations)('$name: an unknown parameter is ignored and named, or refused', (operation) => {
    const { parameters } = operation.example;
    expect(readPayload(operation, { ...parameters, zzzColour: 'red' })).toMatchObject(
      refusesUnknown(operation)
        ? { ok: false, errors: [{ field: 'zzzColour' }] }
        : { ...readPayload(operation, parameters), ignored: ['zzzColour'] },
    );
  });

  test.each(operations)('$name: clientId chooses the world and is not sent there; userId is', (operation) => {
    const reading = readPayload(operation, { ...operation.example.parameters, clientId: 'c', userId: 'Ada' });
    expect(reading).toMatchObject({ ok: true, wire: { userId: 'Ada' } });
    expect(reading).not.toHaveProperty('wire.clientId');
    expect(reading).not.toHaveProperty('parameters.clientId');
  });

  test.each(operations)('$name: no input makes the reader throw', (operation) => {
    const text = fc.oneof(fc.string(), fc.array(fc.string()), fc.constantFrom('true', '1', '[1]', '{}', '['));
    const names = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'clientId', 'userId', 'encounterId', 'tokenUuids'),
      fc.constantFrom(...Object.keys(operation.parameters), 'toString'),
    );
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.dictionary(names, text)),
        fc.oneof(fc.anything(), fc.dictionary(names, value)),
        (query, body) => {
          const reading = readParameters(operation, { query, body });
          expect(reading.ok || reading.errors.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe('query strings', () => {
  test('booleans and numbers are read by the schema', () => {
    const query = { actorUuid: 'Actor.sable', autoHD: 'true', autoHDThreshold: '0.5' };
    expect(wireOf('short-rest', { query })).toEqual({ ...query, autoHD: true, autoHDThreshold: 0.5 });
  });

  test.each(['', ' ', '1,5', '0x10', 'Infinity', 'NaN'])('%j is no number', (amount) => {
    const query = { actorUuid: 'Actor.mira', amount };
    expect(messageOf('modify-experience', { query }, 'amount')).toBe('must be a number');
  });

  test.each([['["items","spells"]'], [['items', 'spells']]])('an array may be %j', (details) => {
    const query = { actorUuid: 'Actor.mira', details };
    expect(wireOf('get-actor-details', { query }).details).toEqual(['items', 'spells']);
  });

  test('an array of one needs no brackets', () => {
    const query = { actorUuid: 'Actor.mira', details: 'items' };
    expect(wireOf('get-actor-details', { query }).details).toEqual(['items']);
  });

  test('an object is JSON text', () => {
    const query = { sourceActorUuid: 'a', targetActorUuid: 'b', currency: '{"gp":5}' };
    expect(wireOf('transfer-currency', { query }).currency).toEqual({ gp: 5 });
  });

  test('text that looks like a number stays text where the schema wants text', () => {
    expect(wireOf('skill-check', { query: { ...check, bonus: '2' } }).bonus).toBe('2');
  });

  test('a scalar that is repeated is refused', () => {
    const query = { ...check, actorUuid: ['Actor.mira', 'Actor.borin'] };
    expect(messageOf('skill-check', { query }, 'actorUuid')).toMatch(/^must be a string/);
  });
});

describe('bodies', () => {
  test('what a schema refuses is read as text would be, and told of where that does not help', () => {
    expect(wireOf('skill-check', { body: { ...check, advantage: 'True' } }).advantage).toBe(true);
    const errors = errorsOf('skill-check', { body: { ...check, advantage: 'yes' } });
    expect(errors).toEqual([{ field: 'advantage', place: 'body', message: 'must be `true` or `false`' }]);
  });

  test('a body wins over the query', () => {
    expect(wireOf('skill-check', { query: check, body: { skill: 'ste' } })).toMatchObject({ skill: 'ste' });
  });

  test('a value of the query that the body’s hides is checked all the same', () => {
    const source = { query: { ...check, skill: 'cooking' }, body: { skill: 'ste' } };
    expect(errorsOf('skill-check', source)).toEqual([
      { field: 'skill', place: 'query', message: expect.stringMatching(/^must be one of/) as unknown },
    ]);
    const both = { query: { ...check, skill: 'cooking' }, body: { skill: 'baking' } };
    expect(errorsOf('skill-check', both)).toHaveLength(1);
    expect(errorsOf('next-turn', { query: { encounter: '' }, body: { encounterId: 'b' } })).toHaveLength(1);
  });

  test.each([[[]], ['text'], [5], [true], [null]])('%j is no body', (body) => {
    expect(messageOf('skill-check', { query: check, body }, 'body')).toBe('must be a JSON object');
  });

  test('names of the prototype are unknown names', () => {
    const body = JSON.parse('{"__proto__": {"skill": "prc"}, "constructor": 1}') as unknown;
    const fields = errorsOf('skill-check', { body }).map(({ field }) => field);
    expect(fields).toEqual(['__proto__', 'constructor', 'actorUuid', 'skill']);
  });

  test.each(['skill-check', 'next-turn'])(
    '%s: a thousand unknown names of a thousand letters make a short answer',
    (name) => {
      const names = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(1000)}${index}`);
      const body = Object.fromEntries(names.map((each, index) => [index + each, 1]));
      const errors = errorsOf(name, { body });
      expect(errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(errors).length).toBeLessThan(10_000);
    },
  );
});

describe('places', () => {
  test('a parameter of the body is refused in the query, and only for that', () => {
    const errors = errorsOf('start-encounter', { query: { tokens: '["a"]' } });
    expect(errors).toEqual([{ field: 'tokens', place: 'query', message: 'belongs in the body' }]);
  });

  test('the body of a GET is read as that of any other method', () => {
    const body = { actorUuid: 'Actor.mira', userId: 'cleo' };
    expect(wireOf('get-concentration', { body })).toEqual(body);
    expect(wireOf('get-concentration', { query: { actorUuid: 'Actor.sable' }, body })).toEqual(body);
  });

  test.each(operations)('$name: a user or a world that is named twice must be the same', (operation) => {
    for (const name of ['userId', 'clientId']) {
      const reading = readParameters(operation, { query: { [name]: 'cleo' }, body: { [name]: 'gm' } });
      expect(reading.ok ? [] : reading.errors).toContainEqual({
        field: name,
        place: 'body',
        message: 'stands in the query too, and the two differ',
      });
      const same = readParameters(operation, { query: { [name]: 'cleo' }, body: { [name]: 'cleo' } });
      expect(same.ok ? [] : same.errors.filter(({ field }) => field === name)).toEqual([]);
    }
  });

  test('a remote request has no places', () => {
    const reading = readPayload(operationOf('get-concentration'), { actorUuid: 'Actor.mira' });
    expect(reading).toMatchObject({ ok: true, wire: { actorUuid: 'Actor.mira' } });
  });

  test('a parameter is refused in the place where it was given, by either of its names', () => {
    for (const name of ['tokens', 'tokenUuids'])
      expect(errorsOf('start-encounter', { body: { [name]: 5 } })).toMatchObject([{ place: 'body' }]);
  });

  test('two names of one list are refused where one element differs, and taken where none does', () => {
    const body = { tokens: ['Token.a', 'Token.b'], tokenUuids: ['Token.a', 'Token.c'] };
    expect(errorsOf('start-encounter', { body })).toHaveLength(1);
    const same = { tokens: body.tokens, tokenUuids: [...body.tokens] };
    expect(readParameters(operationOf('start-encounter'), { query: {}, body: same })).toMatchObject({
      ok: true,
    });
  });

  test('a parameter without a value is not given', () => {
    const given = { ...check, bonus: undefined, advantage: undefined };
    expect(readPayload(operationOf('skill-check'), given)).toEqual(
      readPayload(operationOf('skill-check'), check),
    );
    expect(wireOf('skill-check', { query: given })).toEqual(wireOf('skill-check', { query: check }));
    const source = { query: { ...check, bonus: '2' }, body: { bonus: undefined } };
    expect(wireOf('skill-check', source).bonus).toBe('2');
  });

  test('a remote request’s values are read as those of a body', () => {
    expect(readPayload(operationOf('modify-experience'), { actorUuid: 'a', amount: '5' })).toMatchObject({
      wire: { amount: 5 },
    });
  });
});

describe('bounds', () => {
  test('a documented default is sent when the caller says nothing, and not when he does', () => {
    expect(wireOf('skill-check', { body: check })).toEqual({ ...check, createChatMessage: true });
    expect(wireOf('long-rest', { body: { actorUuid: 'a' } })).toEqual({ actorUuid: 'a', newDay: true });
    expect(wireOf('long-rest', { body: { actorUuid: 'a', newDay: false } }).newDay).toBe(false);
  });

  test('an unknown skill is answered with the list of them', () => {
    const message = messageOf('skill-check', { body: { ...check, skill: 'sleeping' } }, 'skill');
    expect(message).toContain('must be one of `acr`, `ani`');
  });

  test.each([0, 0.5, 1])('%d is a fraction', (autoHDThreshold) => {
    expect(wireOf('short-rest', { body: { actorUuid: 'a', autoHDThreshold } })).toMatchObject({
      autoHDThreshold,
    });
  });

  test.each([-0.1, 1.1])('%d is none', (autoHDThreshold) => {
    const body = { actorUuid: 'a', autoHDThreshold };
    expect(messageOf('short-rest', { body }, 'autoHDThreshold')).toBe('must be a number from 0 to 1');
  });

  test.each([
    [{}, 'currency'],
    [{ gp: 0 }, 'currency'],
    [{ gp: -1 }, 'currency.gp'],
    [{ gp: 1.5 }, 'currency.gp'],
    [{ gp: 1, doubloons: 1 }, 'currency.doubloons'],
    ['5 gp', 'currency'],
  ])('%j is no amount of money', (currency, field) => {
    const body = { sourceActorUuid: 'a', targetActorUuid: 'b', currency };
    expect(errorsOf('transfer-currency', { body }).map((error) => error.field)).toContain(field);
  });

  test('one coin is', () => {
    const body = { sourceActorUuid: 'a', targetActorUuid: 'b', currency: { cp: 1, gp: 0 } };
    expect(wireOf('transfer-currency', { body })).toEqual(body);
  });
});

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
