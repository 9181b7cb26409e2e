import { LRUCache } from 'lru-cache';
import type { CredentialEvent, CredentialFeed } from './credential-feed.ts';

interface Credential {
  accountId: string;
}

export interface CredentialCache<C extends Credential> {
  /** By the secret's hash (base64url). Synchronous, and only what may be trusted now. */
  get(hash: string): C | undefined;
  /** Reads at most once at a time per hash. Undefined: no such credential. Rejects when Postgres is away. */
  load(hash: string): Promise<C | undefined>;
}

export interface CredentialCacheOptions<C extends Credential> {
  feed: CredentialFeed;
  read: (hash: string) => Promise<C | undefined>;
  max?: number;
}

/**
 * Credentials by hash, in process and bounded. Any credential event of an account forgets all of that
 * account; a read during which one came is answered and not kept.
 */
export function createCredentialCache<C extends Credential>(
  options: CredentialCacheOptions<C>,
): CredentialCache<C> {
  const { feed, read, max = 20_000 } = options;
  const known = new LRUCache<string, C>({ max });
  // What is not there can't come to be: secrets are random. Kept short all the same, and apart, so that
  // nonsense never pushes out what is in use.
  const unknown = new LRUCache<string, true>({ max: 5000, ttl: 30_000 });
  const reads = new Map<string, Promise<C | undefined>>();
  const accountsChanged = new Set<Set<string>>();

  function forget({ accountId }: CredentialEvent): void {
    for (const changed of accountsChanged) changed.add(accountId);
    for (const [hash, credential] of known.entries()) {
      if (credential.accountId === accountId) known.delete(hash);
    }
  }
  feed.subscribe(forget);

  async function fill(hash: string): Promise<C | undefined> {
    const changed = new Set<string>();
    accountsChanged.add(changed);
    try {
      const credential = await read(hash);
      if (!credential) unknown.set(hash, true);
      else if (!changed.has(credential.accountId)) known.set(hash, credential);
      return credential;
    } finally {
      accountsChanged.delete(changed);
    }
  }

  return {
    get: (hash) => (feed.isFresh() ? known.get(hash) : undefined),
    async load(hash) {
      if (unknown.has(hash)) return undefined;
      let reading = reads.get(hash);
      if (!reading) {
        reading = fill(hash).finally(() => reads.delete(hash));
        reads.set(hash, reading);
      }
      return await reading;
    },
  };
}
