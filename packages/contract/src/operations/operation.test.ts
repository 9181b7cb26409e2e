import { Type } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { command, onWire, query } from './operation-definition.ts';
import type { OperationDefinition, OperationGroup } from './operation-definition.ts';
import { operations } from './index.ts';
import { listOperations, pathParameters, placesOf } from './operation.ts';
import type { WorldMetadata } from '../world.ts';

const common = {
  summary: 'Do it',
  scope: 'entity:write',
  result: Type.Object({}),
  example: { parameters: { uuid: 'Macro.a' }, result: {} },
} as const;

const uuid = Type.String({ minLength: 1 });

function derive(definition: OperationDefinition) {
  const group: OperationGroup = { name: 'g', title: 'G', prefix: '/g', definitions: { 'do-it': definition } };
  return listOperations(group)[0]!;
}

describe('an operation', () => {
  test.each([
    [query({ ...common, parameters: { uuid } }), 'GET', '/g/do-it', ['query']],
    [command({ ...common, effect: 'changes', parameters: { uuid } }), 'POST', '/g/do-it', ['query', 'body']],
    [command({ ...common, effect: 'changes', method: 'PUT', parameters: { uuid } }), 'PUT', '/g/do-it', ['query', 'body']],
    [query({ ...common, method: 'POST', parameters: { uuid } }), 'POST', '/g/do-it', ['query', 'body']],
    [command({ ...common, effect: 'changes', method: 'DELETE', path: '/x/:uuid/y', parameters: { uuid } }), 'DELETE', '/x/:uuid/y', ['path']],
  ] as const)('has a method, a path and places that follow from what is written (%#)', (definition, ...expected) => {
    const operation = derive(definition);
    expect([operation.method, operation.path, placesOf(operation, 'uuid')]).toEqual(expected);
  }); // prettier-ignore

  test('has the parameters of its path in their order', () => {
    expect(pathParameters({ path: '/canvas/:documentType/:id' })).toEqual(['documentType', 'id']);
  });

  test('is refused where its path names what its parameters do not have', () => {
    // @ts-expect-error the path names `id`, which is not declared
    const definition = command({ ...common, effect: 'changes', path: '/x/:uuid/:id', parameters: { uuid } });
    expect(() => derive(definition)).toThrow('The operation do-it does not declare id');
  });

  test.each([
    ['cannot be optional', command({ ...common, effect: 'changes', path: '/x/:uuid', parameters: { uuid: Type.Optional(uuid) } })],
    ['it comes from nowhere else', command({ ...common, effect: 'changes', path: '/x/:uuid', parameters: { uuid: Type.String({ place: 'body' }) } })],
    ['its method cannot be GET', command({ ...common, effect: 'changes', method: 'GET', parameters: { uuid } })],
    ['takes a body, so its method cannot be GET', query({ ...common, parameters: { uuid }, bodyBytes: { parameter: 'uuid', encoding: 'base64', maxBytes: 1 } })],
    ['its maxBodyBytes must leave room for them as base64', command({ ...common, effect: 'changes', parameters: { uuid }, maxBodyBytes: 15, bodyBytes: { parameter: 'uuid', encoding: 'base64', maxBytes: 12 } })],
    ['name must be allowed in the query', command({ ...common, effect: 'changes', parameters: { uuid, name: Type.String({ place: 'body' }) }, example: { parameters: { uuid: 'a', name: 'b' }, result: {} }, maxBodyBytes: 4, bodyBytes: { parameter: 'uuid', encoding: 'base64', maxBytes: 1 } })],
    ['is a command, so it needs an effect', { ...query({ ...common, parameters: { uuid } }), kind: 'command' as const, method: 'POST' as const }],
    ['is a query, so it has no effect', { ...query({ ...common, parameters: { uuid } }), effect: 'adds' as const }],
  ])('is refused where it contradicts itself: %s', (message, definition) => {
    expect(() => derive(definition)).toThrow(message);
  }); // prettier-ignore
});

test.each([{}, { data: null }, { data: 'text' }, { data: [1] }, { data: { tabletopVersion: '12' } }])(
  'an answer of %j gets no version of the tabletop',
  (answer) => {
    const { adaptResult } = operations.find(({ name }) => name === 'world-info') ?? {};
    expect(adaptResult?.(answer, { tabletopVersion: '13' } as WorldMetadata)).toEqual(answer);
  },
);

test('a parameter keeps its type and its name on the wire', () => {
  const encounter = onWire('encounterId', Type.Optional(Type.String()));
  expectTypeOf(encounter.wireName).toEqualTypeOf<'encounterId'>();
  expectTypeOf<Type.Static<typeof encounter>>().toEqualTypeOf<string>();
  expect(encounter).toMatchObject({ type: 'string', wireName: 'encounterId' });
});

test('a name on the wire is that of one parameter, and no other that shares its schema has it', () => {
  const shared = Type.Optional(Type.String());
  const named = onWire('encounterId', shared);
  expect(shared).not.toHaveProperty('wireName');
  expect(Type.Object({ shared, named }).required ?? []).toEqual([]);
});
