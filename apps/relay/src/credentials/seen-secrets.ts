import { LRUCache } from 'lru-cache';

/** Hashes of secrets that were valid lately: these are worth a look-up whatever else their sender tries. */
export interface SeenSecrets {
  add(hash: string): void;
  /** It is valid no more. */
  remove(hash: string): void;
  /** Whether the secret was valid lately, here or on another instance, before a restart too. Never rejects. */
  has(hash: string): Promise<boolean>;
}

export interface SeenSecretsOptions {
  /** The hashes of those that were used last, newest first: what all instances have written. */
  readRecent: (count: number) => Promise<readonly string[]>;
  max?: number;
}

/** How often what others have seen is read. Only who asks for a secret that is not known here makes it be read. */
const readEveryMs = 60_000;

/**
 * A memory apart from the caches of credentials: it grants nothing, so events do not empty it, and unknown secrets
 * never enter it.
 */
export function createSeenSecrets({ readRecent, max = 50_000 }: SeenSecretsOptions): SeenSecrets {
  const seen = new LRUCache<string, true>({ max });
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAt = performance.now();
    // Oldest first, so that these are the first to be forgotten.
    for (const hash of (await readRecent(max)).toReversed()) if (!seen.has(hash)) seen.set(hash, true);
  }

  return {
    add: (hash) => void seen.set(hash, true),
    remove: (hash) => void seen.delete(hash),
    async has(hash) {
      if (!seen.has(hash) && (reading || performance.now() - readAt > readEveryMs)) {
        // With Postgres away the look-up itself would fail too.
        reading ??= read()
          .catch(() => {})
          .finally(() => (reading = undefined));
        await reading;
      }
      return seen.has(hash);
    },
  };
}
