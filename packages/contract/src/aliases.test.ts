import { describe, expect, it } from 'vitest';
import { expandPath, expandScopes, scopeAliases } from './aliases.ts';
import { operations } from './operations/index.ts';
import { isScope, scopeNames } from './scopes.ts';

describe('the names of another relay', () => {
  it('are no names of ours', () => {
    for (const alias of Object.keys(scopeAliases)) expect(isScope(alias)).toBe(false);
    expect(operations.filter(({ path }) => path.startsWith('/dnd5e'))).toEqual([]);
  });

  it('of scopes are expanded, each once, and others stay as they are', () => {
    expect(expandScopes(['dnd5e', 'roll:execute', 'execute-js', 'nonsense', 7])).toEqual([
      'sys5e:read', 'sys5e:write', 'roll:execute', 'script:execute', 'nonsense', 7,
    ]); // prettier-ignore
    expect(
      Object.values(scopeAliases)
        .flat()
        .filter((name) => !isScope(name)),
    ).toEqual([]);
    expect(expandScopes(scopeNames)).toEqual(scopeNames);
    expect(expandScopes(['constructor', '__proto__'])).toEqual(['constructor', '__proto__']);
  });

  it('of paths are the beginning alone', () => {
    expect(expandPath('/dnd5e/skill-check?a=1')).toBe('/sys5e/skill-check?a=1');
    for (const path of ['/dnd5e', '/dnd5erest', '/a/dnd5e/b', '/sys5e/skill-check'])
      expect(expandPath(path)).toBe(path);
  });
});
