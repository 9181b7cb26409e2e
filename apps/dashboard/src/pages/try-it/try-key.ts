import { operations, scopeNames } from '@tabletop-relay/contract';
import { createPageKeys } from '../../page-keys.ts';
import { api } from '../../request.ts';
import { findWorld, nameOf } from '../../store.ts';

function tryScopes() {
  const needed = new Set<string>(operations.map(({ scope }) => scope));
  return scopeNames.filter((scope) => needed.has(scope));
}

/** Keys made for trying: each may call every operation in one world. */
export const tryKeys = createPageKeys({ purpose: 'try', scopes: tryScopes });

const onceMs = 120_000;

/** Does something with a key that reaches the world though it is paused. The key goes with it. */
export async function whilePaused<T>(clientId: string, work: (apiKey: string) => Promise<T>): Promise<T> {
  const world = findWorld(clientId);
  const { id, apiKey } = await api.createApiKey({
    name: `Try it: ${world ? nameOf(world) : ''}`.trim().slice(0, 100),
    scopes: tryScopes(),
    clientIds: [clientId],
    expiresAt: new Date(Date.now() + onceMs).toISOString(),
    reachesPaused: true,
  });
  try {
    return await work(apiKey);
  } finally {
    // Else it ends by itself soon.
    void api.revokeApiKey({ id }).catch(() => {});
  }
}
