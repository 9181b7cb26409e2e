import type { Hit } from './quotas.ts';

const maxKeys = 50_000;

/** Counts events per key and window in this process. Holds at most 50,000 keys and forgets the oldest first. */
export function createWindowCounts(now: () => number): (key: string, windowMs: number) => Hit {
  const counts = new Map<string, { count: number; until: number }>();
  return (key, windowMs) => {
    const at = now();
    const known = counts.get(key);
    if (known && known.until > at) return { count: ++known.count, resetMs: known.until - at };
    counts.delete(key);
    if (counts.size >= maxKeys) counts.delete(counts.keys().next().value as string);
    counts.set(key, { count: 1, until: at + windowMs });
    return { count: 1, resetMs: windowMs };
  };
}
