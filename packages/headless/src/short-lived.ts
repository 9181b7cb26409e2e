/** Keeps small texts for a time that is known beforehand, for every process on the same store. */
export interface ShortLived {
  /** Replaces what has the name. Rejects when the store is away. */
  put(name: string, text: string, ttlMs: number): Promise<void>;
  read(name: string): Promise<string | undefined>;
  /** Reads and forgets at once: of many who ask, one gets it. */
  take(name: string): Promise<string | undefined>;
  close(): void;
}
