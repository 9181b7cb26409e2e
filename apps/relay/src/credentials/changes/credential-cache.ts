import { LRUCache } from 'lru-cache';
import type { CredentialEvent, CredentialFeed } from './credential-feed.ts';

interface Credential {
  accountId: string;
}

export interface CredentialCache<C extends Credential> {
  /** The cached credential by the secret's hash (base64url); undefined while the cache may be out of date. */
  get(hash: string): C | undefined;
  /**
   * Reads the credential from Postgres; undefined if it does not exist. Concurrent calls for one hash share a read. The
   * answer was read after the last event of its account that arrived before it. Rejects if Postgres is unavailable, and
   * if the account changes during each of several reads.
   */
  load(hash: string): Promise<C | undefined>;
}

export interface CredentialCacheOptions<C extends Credential> {
  feed: Pick<CredentialFeed, 'isFresh' | 'subscribe'>;
  read: (hash: string) => Promise<C | undefined>;
  /** The kind of credentials in this cache. Events that do not concern it are ignored. */
  kind: 'key' | 'token';
  /** The id by which events name a credential. */
  idOf: (credential: C) => string;
  max?: number;
}

/** A load fails after this many reads during each of which the account changed. */
const maxReads = 5;

/**
 * A bounded cache of credentials by hash, in memory. An event removes the credentials of its account, which an index
 * finds: events are frequent, so their cost must not grow with the cache. An event that names a credential of this kind
 * removes that one alone, because an account that makes a new one must not lose the others while Postgres is away.
 */
export function createCredentialCache<C extends Credential>(
  options: CredentialCacheOptions<C>,
): CredentialCache<C> {
  const { feed, read, kind, idOf, max = 20_000 } = options;
  const mayConcern = ({ subject, subjectId }: CredentialEvent, credential: C): boolean =>
    subject !== kind || idOf(credential) === subjectId;
  const index = createAccountIndex<C>();
  const known = new LRUCache<string, C>({
    max,
    dispose: ({ accountId }, hash) => index.remove(accountId, hash),
  });
  // An unknown hash never becomes a credential, because secrets are random. The time to live is short all the same. The
  // cache is separate, so that made-up secrets cannot evict credentials in use.
  const unknown = new LRUCache<string, true>({ max: 5000, ttl: 30_000 });
  const reads = new Map<string, Promise<C | undefined>>();
  const changes = createAccountChanges();

  function keep(hash: string, credential: C): void {
    known.set(hash, credential);
    // After it, because one that is replaced leaves the index.
    index.set(hash, credential);
  }

  function forget(event: CredentialEvent): void {
    const { accountId } = event;
    changes.note(accountId);
    // The accounts of the running reads are not known yet, so later loads share none of them. Otherwise a read that
    // hangs would keep a revoked socket open.
    reads.clear();
    for (const [hash, credential] of index.of(accountId))
      if (mayConcern(event, credential)) known.delete(hash);
  }
  feed.subscribe(kind, forget);

  /** Reads until no event of the account arrived during a read. Calls `done` in the same turn in which the read ends. */
  async function fill(hash: string, done: () => void): Promise<C | undefined> {
    for (let reading = 1; reading <= maxReads; reading++) {
      const watch = changes.watch();
      try {
        const credential = await read(hash);
        if (credential && watch.hasChanged(credential.accountId)) continue;
        // In the same turn of the event loop, so that the next event finds no running read.
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

/** The credentials that are kept of each account, by their hashes. */
function createAccountIndex<C extends Credential>() {
  const byAccount = new Map<string, Map<string, C>>();
  return {
    of: (accountId: string): Iterable<[string, C]> => byAccount.get(accountId) ?? [],
    set(hash: string, credential: C): void {
      const own = byAccount.get(credential.accountId) ?? new Map<string, C>();
      byAccount.set(credential.accountId, own.set(hash, credential));
    },
    remove(accountId: string, hash: string): void {
      const own = byAccount.get(accountId);
      own?.delete(hash);
      if (own?.size === 0) byAccount.delete(accountId);
    },
  };
}

/** Tells a read whether its account changed while it ran. Keeps a change only as long as a watch runs that began before it. */
function createAccountChanges() {
  // Both are in order of age. Changes before the oldest watch are not needed any more.
  const lastChange = new Map<string, number>();
  const watches = new Set<{ since: number }>();
  let changes = 0;

  function prune(): void {
    const [oldest] = watches;
    for (const [accountId, change] of lastChange) {
      if (oldest && change > oldest.since) return;
      lastChange.delete(accountId);
    }
  }

  return {
    note(accountId: string): void {
      changes++;
      lastChange.delete(accountId);
      lastChange.set(accountId, changes);
      prune();
    },
    /** Watches all accounts from now until `end`, because the account of a credential is known only after the read. */
    watch() {
      const watch = { since: changes };
      watches.add(watch);
      return {
        hasChanged: (accountId: string) => (lastChange.get(accountId) ?? 0) > watch.since,
        end(): void {
          watches.delete(watch);
          prune();
        },
      };
    },
  };
}
