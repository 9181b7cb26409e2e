import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { resultSchema, wireNameOf } from './operation.ts';
import { commandFields } from '../parameters/read-parameters.ts';
import type { Operation } from './operation.ts';
import { isScope } from '../scopes.ts';
import { operationGroups, operations } from './index.ts';

/** The specification's list, copied: method, path, wire name. */
const published = `
GET  /encounters                   encounters
POST /start-encounter              start-encounter
POST /next-turn                    next-turn
POST /next-round                   next-round
POST /last-turn                    last-turn
POST /last-round                   last-round
POST /end-encounter                end-encounter
POST /add-to-encounter             add-to-encounter
POST /remove-from-encounter        remove-from-encounter
GET  /sys5e/get-actor-details      get-actor-details
POST /sys5e/modify-item-charges    modify-item-charges
POST /sys5e/short-rest             short-rest
POST /sys5e/long-rest              long-rest
POST /sys5e/skill-check            skill-check
POST /sys5e/ability-save           ability-save
POST /sys5e/ability-check          ability-check
POST /sys5e/death-save             death-save
POST /sys5e/modify-experience      modify-experience
GET  /sys5e/concentration          get-concentration
POST /sys5e/break-concentration    break-concentration
POST /sys5e/concentration-save     concentration-save
POST /sys5e/equip-item             equip-item
POST /sys5e/attune-item            attune-item
POST /sys5e/transfer-currency      transfer-currency
POST /sys5e/use-ability            use-ability
POST /sys5e/use-feature            use-feature
POST /sys5e/use-spell              use-spell
POST /sys5e/use-item               use-item
POST /select                       select
GET  /selected                     selected
GET  /players                      players
GET  /world-info                   world-info
`
  .trim()
  .split('\n')
  .map((line) => line.replace(/\s+/g, ' '));

test('the published paths are all there', () => {
  const rows = operations.map(({ method, path, name }) => `${method} ${path} ${name}`);
  expect(rows).toEqual(expect.arrayContaining(published));
});

test.each([
  ['wire name', ({ name }: Operation) => name],
  ['method and path', ({ method, path }: Operation) => `${method} ${path.replaceAll(/:\w+/g, ':')}`],
  ['SDK name in its group', ({ group, sdkName }: Operation) => `${group}.${sdkName}`],
])('no two operations have the same %s', (_what, nameOf) => {
  const names = operations.map(nameOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a group is found under its own name', () => {
  expect(Object.values(operationGroups).map(({ name }) => name)).toEqual(Object.keys(operationGroups));
});

const publishedNames = published.map((line) => line.split(' ')[2]!);
const publishedOperations = operations.filter(({ name }) => publishedNames.includes(name));

test('of the published operations, rests and what is used have 20 s, and the rest have 10 s', () => {
  const slow = publishedOperations.filter(({ timeoutMs }) => timeoutMs !== 10_000);
  expect(slow.map(({ name, timeoutMs }) => [name, timeoutMs])).toEqual([
    ['short-rest', 20_000],
    ['long-rest', 20_000],
    ['use-ability', 20_000],
    ['use-feature', 20_000],
    ['use-spell', 20_000],
    ['use-item', 20_000],
  ]);
});

describe.each(operations)('$name', (operation) => {
  test('its example passes its schemas', () => {
    const parameters = Type.Object(operation.parameters, { additionalProperties: false });
    expect(Compile(parameters).Errors(operation.example.parameters)).toEqual([]);
    const result = { type: `${operation.name}-result`, requestId: 'x_1', ...operation.example.result };
    expect(Compile(resultSchema(operation)).Errors(result)).toEqual([]);
  });

  test('its result may carry further fields, at every depth', () => {
    const closed = JSON.stringify(operation.result).match(/"additionalProperties":false/g);
    expect(closed).toBeNull();
  });

  test('its scope is one that a key can have', () => {
    expect(isScope(operation.scope)).toBe(true);
  });

  test('a query needs a reading scope and a command another', () => {
    expect(operation.scope.endsWith(':read')).toBe(operation.kind === 'query');
  });

  test('the groups of parameters that it names are parameters of its own', () => {
    const named = [
      ...(operation.identifiedBy ?? []).flat(2),
      ...(operation.prefers ?? []).flat(),
      ...(operation.needsOneOf ?? []),
      ...Object.values(operation.clearsBy ?? {}),
    ];
    expect(Object.keys(operation.parameters)).toEqual(expect.arrayContaining(named));
  });

  test('no parameter of a caller becomes the type, the requestId or the traceparent of the frame', () => {
    const all = Object.entries(operation.parameters).map(([name, schema]) => [wireNameOf(name, schema), 'x']);
    expect(() => commandFields(operation, Object.fromEntries(all), { scopes: [] })).not.toThrow();
  });
});

/** The scopes of the published operations, as the specification lists them; the rest go by their group. */
const publishedScopes: Record<string, string> = {
  encounters: 'encounter:read',
  'get-actor-details': 'sys5e:read',
  'get-concentration': 'sys5e:read',
  'skill-check': 'roll:execute',
  'ability-save': 'roll:execute',
  'ability-check': 'roll:execute',
  'death-save': 'roll:execute',
  'concentration-save': 'roll:execute',
  selected: 'entity:read',
  select: 'canvas:control',
  players: 'user:read',
  'world-info': 'world:read',
};
const scopeOfGroup: Record<string, string> = { encounters: 'encounter:manage', sys5e: 'sys5e:write' };

test.each(publishedOperations)('$name is opened by its published scope', ({ name, group, scope }) => {
  expect(scope).toBe(publishedScopes[name] ?? scopeOfGroup[group]);
});

test('today’s modules read the names that they always read, whatever the caller writes', () => {
  const renamed = publishedOperations.flatMap(({ name, parameters }) =>
    Object.entries(parameters).flatMap(([parameter, schema]) =>
      'wireName' in schema ? [`${name}: ${parameter} -> ${String(schema.wireName)}`] : [],
    ),
  );
  expect(renamed).toEqual([
    'start-encounter: tokens -> tokenUuids',
    'end-encounter: encounter -> encounterId',
    'next-turn: encounter -> encounterId',
    'next-round: encounter -> encounterId',
    'last-turn: encounter -> encounterId',
    'last-round: encounter -> encounterId',
    'add-to-encounter: encounter -> encounterId',
    'remove-from-encounter: encounter -> encounterId',
  ]);
});
