import { operations, scopeNames } from '@tabletop-relay/contract';
import { createPageKeys } from '../../page-keys.ts';

/** Keys made for trying: each may call every operation in one world. */
export const tryKeys = createPageKeys({
  purpose: 'try',
  scopes() {
    const needed = new Set<string>(operations.map(({ scope }) => scope));
    return scopeNames.filter((scope) => needed.has(scope));
  },
});
