import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { resultSchema } from '../operation.ts';
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

test('the published paths are all there, and no others', () => {
  const rows = operations.map(({ method, path, name }) => `${method} ${path} ${name}`);
  expect(rows.toSorted()).toEqual(published.toSorted());
});

test('there are 9 encounter, 19 fifth-edition and 4 utility operations, each SDK name used once in its group', () => {
  const sizes = Object.values(operationGroups).map((group) => Object.keys(group.definitions).length);
  expect(sizes).toEqual([9, 19, 4]);
  expect(new Set(operations.map(({ group, sdkName }) => `${group}.${sdkName}`)).size).toBe(32);
});

test('a group is found under its own name', () => {
  expect(Object.values(operationGroups).map(({ name }) => name)).toEqual(Object.keys(operationGroups));
});

test('the world has 20 s for rests and for what is used, and 10 s for the rest', () => {
  const slow = operations.filter(({ timeoutMs }) => timeoutMs !== 10_000);
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
      ...(operation.identifiedBy ?? []).flat(),
      ...(operation.prefers ?? []).flat(),
      ...(operation.needsOneOf ?? []),
    ];
    expect(Object.keys(operation.parameters)).toEqual(expect.arrayContaining(named));
  });
});

/** Which scope an operation needs, as the reference lists it. */
const scopeTable = {
  'encounter:read': ['encounters'],
  'sys5e:read': ['get-actor-details', 'get-concentration'],
  'roll:execute': ['skill-check', 'ability-save', 'ability-check', 'death-save', 'concentration-save'],
  'entity:read': ['selected'],
  'canvas:control': ['select'],
  'user:read': ['players'],
  'world:read': ['world-info'],
};

test.each(Object.entries(scopeTable))('%s opens its operations alone', (scope, names) => {
  const opened = operations.filter((operation) => operation.scope === scope).map(({ name }) => name);
  expect(opened.toSorted()).toEqual(names.toSorted());
});

test('what is neither read, rolled nor selected is managed in encounters and written on actors', () => {
  const scopesOf = (group: string) =>
    new Set(
      operations
        .filter(
          (operation) =>
            operation.group === group && !Object.values(scopeTable).flat().includes(operation.name),
        )
        .map(({ scope }) => scope),
    );
  expect([...scopesOf('encounters')]).toEqual(['encounter:manage']);
  expect([...scopesOf('sys5e')]).toEqual(['sys5e:write']);
});

test('modules read the names they always read, whatever the caller writes', () => {
  const renamed = operations.flatMap(({ name, parameters }) =>
    Object.entries(parameters).flatMap(([parameter, schema]) =>
      'wireName' in schema ? [`${name}: ${parameter} -> ${String(schema.wireName)}`] : [],
    ),
  );
  expect(renamed).toEqual([
    'start-encounter: tokens -> tokenUuids',
    'next-turn: encounter -> encounterId',
    'next-round: encounter -> encounterId',
    'last-turn: encounter -> encounterId',
    'last-round: encounter -> encounterId',
    'end-encounter: encounter -> encounterId',
    'add-to-encounter: encounter -> encounterId',
    'remove-from-encounter: encounter -> encounterId',
  ]);
});
