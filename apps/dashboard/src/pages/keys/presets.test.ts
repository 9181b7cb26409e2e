import { scopeNames, wordsOf } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { presetOf, presets } from './presets.ts';

const audited = scopeNames.filter((scope) => wordsOf(scope).audited);

test.each(['macro:execute', 'macro:write', 'script:execute', 'file:write', 'user:write'] as const)(
  '%s is in no preset but everything, and says why',
  (scope) => {
    expect(audited).toContain(scope);
    expect(wordsOf(scope).dangerous).toBeTruthy();
    const holding = presets.filter(({ scopes }) => (scopes as readonly Scope[]).includes(scope));
    expect(holding.map(({ name }) => name)).toEqual(['Everything']);
  },
);

test('a preset that only reads has neither the code of macros nor files', () => {
  const readers = presets.filter(({ scopes }) => scopes.every((scope) => scope.endsWith(':read')));
  expect(readers.map(({ name }) => name)).toEqual(['Read only']);
  for (const { scopes } of readers)
    expect(scopes).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(macro|file):/)]));
});

test('a preset is known by its permissions', () => {
  for (const { name, scopes } of presets) expect(presetOf([...scopes].toReversed())).toBe(name);
  expect(presetOf(['macro:read'])).toBeUndefined();
});
