import { signal } from '@preact/signals';
import type { ApiKey, Scope } from '@tabletop-relay/contract';
import { account, api } from './request.ts';
import { keys, nameOf, findWorld } from './store.ts';

interface PageKey {
  apiKey: string;
  clientId: string;
  /** The user that the key is bound to, if it is. */
  actingUserId?: string | undefined;
  accountId: string | undefined;
  expiresAt: number;
}

/**
 * Keys that a page makes for itself, one for each world and user. They are kept as long as the tab, so that a page that is loaded anew goes
 * on with them.
 */
export interface PageKeys {
  /** The key for a world, if one is made and lives for a while yet. */
  keyFor(clientId: string, actingUserId?: string): string | undefined;
  /** The key for a world, made now if there is none. It ends after an hour. */
  make(clientId: string, actingUserId?: string): Promise<string>;
  /** Lets go of a key that the relay no longer takes, so that the next call makes another. */
  drop(apiKey: string): void;
}

const lifeMs = 3_600_000;
/** A key that is about to end is not begun with. */
const marginMs = 30_000;

/** Prefix of the names of such keys. */
const prefixes = {
  try: 'Try it:',
  tail: 'Live events:',
  docs: 'Docs:',
  users: 'Users:',
  ping: 'Ping:',
  overlay: 'Overlay preview:',
} as const;

/** Whether a page made the key for itself: by its name, and because it ends within the hour. No key of a person is hidden. */
export function isPageKey({
  name,
  createdAt,
  expiresAt,
}: Pick<ApiKey, 'name' | 'createdAt' | 'expiresAt'>): boolean {
  if (!Object.values(prefixes).some((prefix) => name.startsWith(prefix)) || expiresAt === null) return false;
  return Date.parse(expiresAt) - Date.parse(createdAt) <= lifeMs + marginMs;
}

export function createPageKeys(options: {
  purpose: keyof typeof prefixes;
  scopes: (actingUserId?: string) => readonly Scope[];
}): PageKeys {
  const { purpose, scopes } = options;
  const namePrefix = prefixes[purpose];
  const made = signal(readKept(purpose));
  const keep = (next: readonly PageKey[]) => {
    made.value = next;
    writeKept(purpose, next);
  };

  const isFor = (key: PageKey, clientId: string, actingUserId: string | undefined) =>
    key.clientId === clientId && key.actingUserId === actingUserId;

  const keyFor = (clientId: string, actingUserId?: string) =>
    made.value.find(
      (key) =>
        isFor(key, clientId, actingUserId) &&
        key.accountId === account.value?.id &&
        key.expiresAt > Date.now() + marginMs,
    )?.apiKey;

  /** Keys that were made here and have ended are of no use to anybody. */
  async function clearExpired(): Promise<void> {
    await keys.reload();
    const ended = (keys.data.peek() ?? []).filter(
      (key) =>
        isPageKey(key) && key.name.startsWith(namePrefix) && Date.parse(key.expiresAt ?? '') < Date.now(),
    );
    await Promise.allSettled(ended.map(({ id }) => api.revokeApiKey({ id })));
  }

  return {
    keyFor,
    async make(clientId, actingUserId) {
      const known = keyFor(clientId, actingUserId);
      if (known) return known;
      const world = findWorld(clientId);
      const expiresAt = Date.now() + lifeMs;
      const { apiKey } = await api.createApiKey({
        name: `${namePrefix} ${world ? nameOf(world) : clientId}`.slice(0, 100),
        scopes: [...scopes(actingUserId)],
        clientIds: [clientId],
        ...(actingUserId === undefined ? {} : { actingUserId }),
        expiresAt: new Date(expiresAt).toISOString(),
      });
      const key = { apiKey, clientId, actingUserId, accountId: account.peek()?.id, expiresAt };
      keep([...made.peek().filter((one) => !isFor(one, clientId, actingUserId)), key]);
      void clearExpired();
      return apiKey;
    },
    drop(apiKey) {
      keep(made.peek().filter((key) => key.apiKey !== apiKey));
    },
  };
}

/** The tab's storage. Scripts of ours alone can read it, and they could make such a key anyway. */
function readKept(purpose: string): readonly PageKey[] {
  try {
    return JSON.parse(sessionStorage.getItem(`page-keys:${purpose}`) ?? '[]') as PageKey[];
  } catch {
    return [];
  }
}

function writeKept(purpose: string, keys: readonly PageKey[]): void {
  try {
    sessionStorage.setItem(`page-keys:${purpose}`, JSON.stringify(keys));
  } catch {
    // Storage is switched off: the keys last as long as the page.
  }
}

/** To be called when somebody signed out: the next person at this tab must not find them. */
export function forgetPageKeys(): void {
  try {
    for (const purpose of Object.keys(prefixes)) sessionStorage.removeItem(`page-keys:${purpose}`);
  } catch {
    // Then there is nothing stored.
  }
}
