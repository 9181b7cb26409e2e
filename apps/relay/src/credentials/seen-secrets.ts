import { LRUCache } from 'lru-cache';

/** Hashes of secrets that were valid lately. They are looked up even if their sender has tried too many unknown ones. */
export interface SeenSecrets {
  add(hash: string): void;
  /** Forgets a secret that is no longer valid. */
  remove(hash: string): void;
  /** Whether the secret was valid lately on any instance, even before a restart. Never rejects. */
  has(hash: string): Promise<boolean>;
}

export interface SeenSecretsOptions {
  /** Reads the hashes that all instances used last from Postgres, newest first. */
  readRecent: (count: number) => Promise<readonly string[]>;
  max?: number;
}

/** The least time between two reads of what other instances have seen. Only a question for an unknown secret causes one. */
const readEveryMs = 60_000;

/**
 * This memory is separate from the caches of credentials. It grants nothing, so events need not empty it, and unknown
 * secrets never enter it.
 */
export function createSeenSecrets({ readRecent, max = 50_000 }: SeenSecretsOptions): SeenSecrets {
  const seen = new LRUCache<string, true>({ max });
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAt = performance.now();
    // The oldest is added first, so that it is evicted first.
    for (const hash of (await readRecent(max)).toReversed()) if (!seen.has(hash)) seen.set(hash, true);
  }

  return {
    add: (hash) => void seen.set(hash, true),
    remove: (hash) => void seen.delete(hash),
    async has(hash) {
      if (!seen.has(hash) && (reading || performance.now() - readAt > readEveryMs)) {
        // While Postgres is unavailable, the look-up of the secret would fail too.
        reading ??= read()
          .catch(() => {})
          .finally(() => (reading = undefined));
        await reading;
      }
      return seen.has(hash);
    },
  };
}
