import { signal } from '@preact/signals';
import type { Scope } from '@tabletop-relay/contract';
import { account, api } from './request.ts';
import { keys, nameOf, findWorld } from './store.ts';

interface PageKey {
  apiKey: string;
  clientId: string;
  accountId: string | undefined;
  expiresAt: number;
}

/** Keys that a page makes for itself, one for each world: in memory alone, so a reload forgets them. */
export interface PageKeys {
  /** The key for a world, if one is made and lives for a while yet. */
  keyFor(clientId: string): string | undefined;
  /** The key for a world, made now if there is none. It ends after an hour. */
  make(clientId: string): Promise<string>;
  /** Lets go of a key that the relay no longer takes, so that the next call makes another. */
  drop(apiKey: string): void;
}

const lifeMs = 3_600_000;
/** A key that is about to end is not begun with. */
const marginMs = 30_000;

export function createPageKeys(options: { namePrefix: string; scopes: () => readonly Scope[] }): PageKeys {
  const { namePrefix, scopes } = options;
  const made = signal<readonly PageKey[]>([]);

  const keyFor = (clientId: string) =>
    made.value.find(
      (key) =>
        key.clientId === clientId &&
        key.accountId === account.value?.id &&
        key.expiresAt > Date.now() + marginMs,
    )?.apiKey;

  /** Keys that were made here and have ended are of no use to anybody. */
  async function clearExpired(): Promise<void> {
    await keys.reload();
    const ended = (keys.data.peek() ?? []).filter(
      ({ name, expiresAt }) =>
        name.startsWith(namePrefix) && expiresAt !== null && Date.parse(expiresAt) < Date.now(),
    );
    await Promise.allSettled(ended.map(({ id }) => api.revokeApiKey({ id })));
  }

  return {
    keyFor,
    async make(clientId) {
      const known = keyFor(clientId);
      if (known) return known;
      const world = findWorld(clientId);
      const expiresAt = Date.now() + lifeMs;
      const { apiKey } = await api.createApiKey({
        name: `${namePrefix} ${world ? nameOf(world) : ''}`.trim().slice(0, 100),
        scopes: [...scopes()],
        clientIds: [clientId],
        expiresAt: new Date(expiresAt).toISOString(),
      });
      const key = { apiKey, clientId, accountId: account.peek()?.id, expiresAt };
      made.value = [...made.peek().filter((one) => one.clientId !== clientId), key];
      void clearExpired();
      return apiKey;
    },
    drop(apiKey) {
      made.value = made.peek().filter((key) => key.apiKey !== apiKey);
    },
  };
}
