import type { NewApiKey, Scope } from '@tabletop-relay/contract';

/** A call for each permission that needs nothing known of the world; the first that the key may make is shown. */
const calls: [Scope, path: string][] = [
  ['world:read', '/world-info'],
  ['user:read', '/players'],
  ['encounter:read', '/encounters'],
  ['entity:read', '/selected'],
];

/** A `curl` line that works when pasted, as far as the key's permissions and worlds say. */
export function firstCall({
  apiKey,
  scopes,
  clientIds,
}: Pick<NewApiKey, 'apiKey' | 'scopes' | 'clientIds'>): string {
  const path = calls.find(([scope]) => scopes.includes(scope))?.[1];
  // A key that is bound to one world need not name it.
  const query = clientIds?.length === 1 || !clientIds?.[0] ? '' : `?clientId=${clientIds[0]}`;
  const url = path ? `${location.origin}${path}${query}` : `${location.origin}/clients`;
  return `curl '${url}' -H 'x-api-key: ${apiKey}'`;
}
