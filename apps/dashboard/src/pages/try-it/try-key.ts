import { signal } from '@preact/signals';
import { operations, scopeNames } from '@tabletop-relay/contract';
import { account, api } from '../../request.ts';
import { keys, nameOf, findWorld } from '../../store.ts';

interface TryKey {
  apiKey: string;
  clientId: string;
  accountId: string | undefined;
  expiresAt: number;
}

/** Keys made for trying, one for each world: in memory alone, so a reload forgets them. */
const made = signal<readonly TryKey[]>([]);

const namePrefix = 'Try it:';
const lifeMs = 3_600_000;
/** A key that is about to end is not begun with. */
const marginMs = 30_000;

export const tryKeyFor = (clientId: string): TryKey | undefined =>
  made.value.find(
    (key) =>
      key.clientId === clientId &&
      key.accountId === account.value?.id &&
      key.expiresAt > Date.now() + marginMs,
  );

/** Makes a key for one world that may call every operation and ends after an hour. */
export async function makeTryKey(clientId: string): Promise<string> {
  const known = tryKeyFor(clientId);
  if (known) return known.apiKey;
  const needed = new Set(operations.map(({ scope }) => scope));
  const world = findWorld(clientId);
  const expiresAt = Date.now() + lifeMs;
  const { apiKey } = await api.createApiKey({
    name: `${namePrefix} ${world ? nameOf(world) : ''}`.trim().slice(0, 100),
    scopes: scopeNames.filter((scope) => needed.has(scope)),
    clientIds: [clientId],
    expiresAt: new Date(expiresAt).toISOString(),
  });
  const key = { apiKey, clientId, accountId: account.peek()?.id, expiresAt };
  made.value = [...made.peek().filter((one) => one.clientId !== clientId), key];
  void clearExpired();
  return apiKey;
}

/** Keys that were made here and have ended are of no use to anybody. */
async function clearExpired(): Promise<void> {
  await keys.reload();
  const ended = (keys.data.peek() ?? []).filter(
    ({ name, expiresAt }) =>
      name.startsWith(namePrefix) && expiresAt !== null && Date.parse(expiresAt) < Date.now(),
  );
  await Promise.allSettled(ended.map(({ id }) => api.revokeApiKey({ id })));
}

/** Lets go of a key that the relay no longer takes, so that the next call makes another. */
export function dropTryKey(apiKey: string): void {
  made.value = made.peek().filter((key) => key.apiKey !== apiKey);
}
