import { operations, scopeNames, wordsOf } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { signedInPaths } from '../../page-paths.ts';
import { buildOf, builds } from './builds.ts';
import { codeOf } from '../try-it/code/api-call.ts';
import { codeOfFirst, firstCalls } from './first-calls.ts';

const audited = scopeNames.filter((scope) => wordsOf(scope).audited);
const withKeys = builds.filter(({ page }) => !page);

test.each(['macro:execute', 'macro:write', 'script:execute', 'file:write', 'user:write'] as const)(
  '%s is in no kind but everything, and says why',
  (scope) => {
    expect(audited).toContain(scope);
    expect(wordsOf(scope).dangerous).toBeTruthy();
    const holding = builds.filter(({ scopes }) => scopes.includes(scope));
    expect(holding.map(({ name }) => name)).toEqual(['Everything']);
  },
);

test('a kind that only reads has neither the code of macros nor files', () => {
  const readers = withKeys.filter(({ scopes }) => scopes.every((scope) => scope.endsWith(':read')));
  expect(readers.map(({ name }) => name)).toEqual(['Script']);
  for (const { scopes } of readers)
    expect(scopes).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(macro|file):/)]));
});

test('a kind is known by its permissions, and each is allowed the first call that it is shown', () => {
  for (const { name, scopes } of withKeys) {
    expect(buildOf([...scopes].toReversed())?.name).toBe(name);
    const [first] = firstCalls(scopes);
    expect(scopes).toContain(operations.find((operation) => operation.name === first?.operation.name)?.scope);
  }
  expect(buildOf(['macro:read'])).toBeUndefined();
});

test.each(firstCalls(scopeNames))('the first call $operation.name is the one of the contract', (call) => {
  const operation = operations.find(({ name }) => name === call.operation.name);
  if (!operation) throw new Error('no such operation');
  expect(operation.scope).toBe(call.scope);
  const made = { operation, clientId: 'c1', parameters: call.parameters, userId: undefined };
  expect(codeOfFirst(call, { clientId: 'c1' })).toEqual(codeOf(made));
});

test('a kind that has a page of its own leads to one that there is', () => {
  const pages = builds.flatMap(({ page }) => page?.href ?? []);
  expect(signedInPaths).toEqual(expect.arrayContaining(pages));
});
