import type { DropReason } from '@tabletop-relay/contract';

export interface DroppedCount {
  /** Null: the records belonged to no account. */
  accountId: string | null;
  reason: DropReason;
  count: number;
  /** Epoch milliseconds of the first and the last. */
  since: number;
  until: number;
}

/** Counts what was dropped until its account is told. */
export interface DroppedRecords {
  readonly size: number;
  add(accountId: string | null, reason: DropReason): void;
  /** Takes out the counts that began at least `ageMs` ago and whose account `mayTell` allows to be told. */
  take(ageMs: number, mayTell: (accountId: string | null) => boolean): DroppedCount[];
}

/** Above so many accounts the rest is counted together, under no account. */
const maxCounts = 10_000;

export function createDroppedRecords(now: () => number): DroppedRecords {
  const counts = new Map<string, DroppedCount>();

  function countOf(accountId: string | null, reason: DropReason): DroppedCount {
    const key = `${reason} ${accountId ?? ''}`;
    const known = counts.get(key);
    if (known) return known;
    if (accountId !== null && counts.size >= maxCounts) return countOf(null, reason);
    const fresh = { accountId, reason, count: 0, since: now(), until: now() };
    counts.set(key, fresh);
    return fresh;
  }

  return {
    get size() {
      return counts.size;
    },
    add(accountId, reason) {
      const entry = countOf(accountId, reason);
      entry.count++;
      entry.until = now();
    },
    take(ageMs, mayTell) {
      const due = [...counts].filter(
        ([, { accountId, since }]) => now() - since >= ageMs && mayTell(accountId),
      );
      for (const [key] of due) counts.delete(key);
      return due.map(([, count]) => count);
    },
  };
}
