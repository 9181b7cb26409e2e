import type { ShortLived } from './short-lived.ts';

interface Kept {
  text: string;
  until: number;
}

/** For one process. Holds at most `maxEntries` and forgets the oldest first. */
export function createMemoryShortLived({
  maxEntries = 10_000,
  now = () => performance.now(),
} = {}): ShortLived {
  const kept = new Map<string, Kept>();

  function find(name: string): string | undefined {
    const entry = kept.get(name);
    return entry && entry.until > now() ? entry.text : undefined;
  }

  return {
    put(name, text, ttlMs) {
      kept.delete(name);
      if (kept.size >= maxEntries) kept.delete(kept.keys().next().value as string);
      kept.set(name, { text, until: now() + ttlMs });
      return Promise.resolve();
    },
    read: (name) => Promise.resolve(find(name)),
    take(name) {
      const text = find(name);
      kept.delete(name);
      return Promise.resolve(text);
    },
    close: () => kept.clear(),
  };
}
