import type { ApiKey, KnownClient, Overview } from '@tabletop-relay/contract';
import { isPageKey } from '../../page-keys.ts';

/** Steps from an empty account to a first call. True: done. */
export interface FirstSteps {
  world: boolean;
  key: boolean;
  call: boolean;
}

interface Known {
  worlds: readonly KnownClient[] | undefined;
  keys: readonly Pick<ApiKey, 'name' | 'createdAt' | 'expiresAt' | 'lastUsedAt'>[] | undefined;
  overview: Pick<Overview, 'keys'> | undefined;
}

/** Undefined while it is not known, and once all is done. A call by a page's own key is a call, but no key of the person's. */
export function firstSteps({ worlds, keys, overview }: Known): FirstSteps | undefined {
  if (!worlds || !keys || !overview) return undefined;
  const steps = {
    world: worlds.length > 0,
    key: keys.some((key) => !isPageKey(key)),
    call: overview.keys.length > 0 || keys.some(({ lastUsedAt }) => lastUsedAt !== null),
  };
  return Object.values(steps).every(Boolean) ? undefined : steps;
}
