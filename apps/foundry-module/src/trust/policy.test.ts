import { operations, scopeNames, wordsOf } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { describe, expect, test } from 'vitest';
import { approve, isApproved } from './code.ts';
import { operationFacts } from './operation-facts.ts';
import {
  firstPolicy,
  guardedScopes,
  levelOfCall,
  levelOfOperation,
  levelsOf,
  mostCode,
  operationsOf,
  policyScopes,
  readPolicy,
} from './policy.ts';

const names = Object.keys(operationFacts) as OperationName[];

test('the guarded scopes are those whose each use the relay writes down', () => {
  const audited = scopeNames.filter((scope) => wordsOf(scope).audited);
  expect(guardedScopes.toSorted()).toEqual(audited.toSorted());
});

test.each([
  ['watch', 'allow', 'deny'],
  ['everything', 'allow', 'allow'],
] as const)('%s has a level for every operation, and denies what is guarded', (preset, reading, writing) => {
  const expected = (name: OperationName) => {
    const { scope, effect } = operationFacts[name];
    return guardedScopes.includes(scope) ? 'deny' : effect ? writing : reading;
  };
  const policy = { ...firstPolicy, preset };
  expect(names.map((name) => [name, levelOfOperation(policy, name)])).toEqual(
    names.map((name) => [name, expected(name)]),
  );
});

test('playing denies what is guarded, and reads all', () => {
  const levels = names.map((name) => [name, levelOfOperation(firstPolicy, name)] as const);
  const denied = levels.filter(([, level]) => level === 'deny').map(([name]) => name);
  expect(denied).toEqual(names.filter((name) => guardedScopes.includes(operationFacts[name].scope)));
  const reading = levels.filter(([name]) => !operationFacts[name].effect).map(([, level]) => level);
  expect(new Set(reading)).toEqual(new Set(['allow']));
});

test('playing asks before what is deleted or rewritten', () => {
  const asking = names.filter((name) => levelOfOperation(firstPolicy, name) === 'ask');
  expect(asking.toSorted()).toEqual(
    [
      'create',
      'update',
      'delete',
      'remove',
      'create-folder',
      'delete-folder',
      'create-scene',
      'update-scene',
      'delete-scene',
      'switch-scene',
      'chat-delete',
      'chat-flush',
      'delete-canvas-document',
    ].toSorted(),
  );
});

describe('a level of its own', () => {
  test('counts for a scope before the preset’s, and for an operation before both', () => {
    const policy = { ...firstPolicy, scopes: { 'chat:write': 'allow' as const } };
    expect(levelOfOperation(policy, 'chat-flush')).toBe('allow');
    expect(levelOfOperation({ ...policy, operations: { 'chat-flush': 'deny' } }, 'chat-flush')).toBe('deny');
  });

  test('of what the data need besides counts where it is stricter', () => {
    const open = { ...firstPolicy, preset: 'everything' as const };
    expect(levelOfCall(open, 'update')).toBe('allow');
    expect(levelOfCall(open, 'update', { scopes: ['macro:write'] })).toBe('deny');
    expect(
      levelOfCall({ ...open, scopes: { 'macro:write': 'ask' } }, 'update', { scopes: ['macro:write'] }),
    ).toBe('ask');
  });

  test('of an operation that it stands for counts where it is stricter', () => {
    const policy = { ...firstPolicy, operations: { create: 'allow', update: 'deny' } as const };
    expect(levelOfCall(policy, 'create')).toBe('allow');
    expect(levelOfCall(policy, 'create', { as: ['update'] })).toBe('deny');
  });
});

describe('the setting as it is read', () => {
  test('is that of playing where nobody has chosen', () => {
    for (const nothing of [undefined, null, {}]) expect(readPolicy(nothing)).toEqual(firstPolicy);
  });

  test('denies what it does not know', () => {
    for (const broken of [[], 'x', 1])
      expect(readPolicy(broken)).toEqual({ ...firstPolicy, preset: 'watch' });
    const {
      preset,
      scopes,
      operations: own,
    } = readPolicy({
      preset: 'all',
      scopes: { 'chat:write': 'yes', 'no:scope': 'allow', 'events:subscribe': 'ask' },
      operations: { update: 1, 'no-operation': 'allow' },
      code: [{ hash: 1 }, 'x'],
    });
    expect([preset, scopes, own]).toEqual([
      'watch',
      { 'chat:write': 'deny', 'events:subscribe': 'deny' },
      { update: 'deny' },
    ]);
  });

  test('allows no code as a whole, and no guarded operation by itself', () => {
    const { scopes, operations: own } = readPolicy({
      preset: 'everything',
      scopes: { 'script:execute': 'allow', 'macro:execute': 'ask', 'file:write': 'allow' },
      operations: { 'execute-js': 'allow', 'create-user': 'allow' },
    });
    expect(scopes).toEqual({ 'script:execute': 'deny', 'macro:execute': 'ask', 'file:write': 'allow' });
    expect(own).toEqual({});
  });

  test.each(['__proto__', 'constructor', 'toString'])('takes %s for no name', (name) => {
    const given = JSON.parse(
      `{"preset":"play","scopes":{"${name}":"allow"},"operations":{"${name}":"allow"}}`,
    );
    expect(readPolicy(given)).toEqual({ ...firstPolicy, scopes: {}, operations: {} });
  });
});

test('the scopes of a policy are those that operations need, by themselves or besides, and that of events', () => {
  const used = [...operations.map(({ scope }) => scope), 'macro:write', 'events:subscribe'];
  expect(policyScopes.toSorted()).toEqual([...new Set(used)].toSorted());
  for (const scope of policyScopes) {
    expect(levelsOf(scope)).toContain('deny');
    for (const name of operationsOf(scope)) expect(operationFacts[name].scope).toBe(scope);
  }
  expect(readPolicy({ preset: 'play', scopes: { 'macro:write': 'allow' } }).scopes).toEqual({
    'macro:write': 'allow',
  });
});

test('a code is approved for one program by its id, whatever it is called, and 200 are kept', () => {
  const caller = { id: 'one', name: 'Bot', kind: 'key', via: 'http' } as const;
  const policy = approve(firstPolicy, caller, 'h');
  expect(isApproved(policy, caller, 'h')).toBe(true);
  expect(isApproved(policy, { ...caller, name: 'Another name' }, 'h')).toBe(true);
  expect(isApproved(policy, { ...caller, id: 'two' }, 'h')).toBe(false);
  expect(isApproved(policy, undefined, 'h')).toBe(false);
  expect(isApproved(policy, caller, undefined)).toBe(false);
  let full = policy;
  for (let count = 0; count < mostCode; count++) full = approve(full, caller, String(count));
  expect(full.code).toHaveLength(mostCode);
  expect(isApproved(full, caller, 'h')).toBe(false);
});
