import { LRUCache } from 'lru-cache';
import { createAccountChanges } from './account-changes.ts';
import { affects } from './credential-event.ts';
import type { CredentialEvent } from './credential-event.ts';
import type { CredentialFeed } from './credential-feed.ts';

interface Credential {
  accountId: string;
}

export interface CredentialCache<C extends Credential> {
  /** By the secret's hash (base64url). Synchronous, and only what may be trusted now. */
  get(hash: string): C | undefined;
  /**
   * Many who ask for one hash share a read. The answer was read after the last event of its account that was
   * heard before it. Undefined: no such credential. Rejects when Postgres is away, and when the account changes
   * during each of several reads.
   */
  load(hash: string): Promise<C | undefined>;
}

export interface CredentialCacheOptions<C extends Credential> {
  feed: Pick<CredentialFeed, 'isFresh' | 'subscribe'>;
  read: (hash: string) => Promise<C | undefined>;
  /** What is kept here: events that change none of it are passed over. */
  kind: 'key' | 'token';
  max?: number;
}

/** An account that changes more often than this while one credential of it is read is answered as "not now". */
const maxReads = 5;

/**
 * Credentials by hash, in process and bounded. An event forgets what is kept of its account, found by an index:
 * events are frequent, and what they cost must not grow with the cache.
 */
export function createCredentialCache<C extends Credential>(
  options: CredentialCacheOptions<C>,
): CredentialCache<C> {
  const { feed, read, kind, max = 20_000 } = options;
  const hashes = createAccountIndex();
  const known = new LRUCache<string, C>({
    max,
    dispose: ({ accountId }, hash, reason) => {
      // A credential never changes its account: one that is replaced keeps its place in the index.
      if (reason !== 'set') hashes.remove(accountId, hash);
    },
  });
  // What is not there can't come to be: secrets are random. Kept short all the same, and apart, so that
  // nonsense never pushes out what is in use.
  const unknown = new LRUCache<string, true>({ max: 5000, ttl: 30_000 });
  const reads = new Map<string, Promise<C | undefined>>();
  const changes = createAccountChanges();

  function keep(hash: string, credential: C): void {
    known.set(hash, credential);
    hashes.add(credential.accountId, hash);
  }

  function forget(event: CredentialEvent): void {
    if (!affects(event, kind)) return;
    const { accountId } = event;
    changes.note(accountId);
    // Whose credentials are being read is not known yet. Who asks from now on waits for none of these reads:
    // one that hangs would keep a revoked socket open.
    reads.clear();
    for (const hash of hashes.of(accountId)) known.delete(hash);
  }
  feed.subscribe(forget);

  /** Reads until no event of the account came during the read. `done` is told in the moment of the answer. */
  async function fill(hash: string, done: () => void): Promise<C | undefined> {
    for (let reading = 1; reading <= maxReads; reading++) {
      const watch = changes.watch();
      try {
        const credential = await read(hash);
        if (credential && watch.hasChanged(credential.accountId)) continue;
        // At once, without another turn of the loop: an event that comes next must find the read gone.
        done();
        if (credential) keep(hash, credential);
        else unknown.set(hash, true);
        return credential;
      } finally {
        watch.end();
      }
    }
    throw new Error(`the account of a credential changed during each of ${maxReads} reads`);
  }

  return {
    get: (hash) => (feed.isFresh() ? known.get(hash) : undefined),
    async load(hash) {
      if (unknown.has(hash)) return undefined;
      const running = reads.get(hash);
      if (running) return await running;
      const end = () => {
        if (reads.get(hash) === reading) reads.delete(hash);
      };
      const reading: Promise<C | undefined> = fill(hash, end).finally(end);
      reads.set(hash, reading);
      return await reading;
    },
  };
}

/** The hashes that are kept of each account. */
function createAccountIndex() {
  const hashesOf = new Map<string, Set<string>>();
  return {
    of: (accountId: string): Iterable<string> => hashesOf.get(accountId) ?? [],
    add(accountId: string, hash: string): void {
      const hashes = hashesOf.get(accountId) ?? new Set();
      hashesOf.set(accountId, hashes.add(hash));
    },
    remove(accountId: string, hash: string): void {
      const hashes = hashesOf.get(accountId);
      hashes?.delete(hash);
      if (hashes?.size === 0) hashesOf.delete(accountId);
    },
  };
}
