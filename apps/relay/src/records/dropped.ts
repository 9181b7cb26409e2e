/**
 * Why a record was not written: Postgres took none at the time; its account had too many waiting; or a module sent
 * more notices than it may.
 */
export type DropReason = 'database_away' | 'backlog_full' | 'rate_limited';

export interface DroppedCount {
  /** Null: of nobody's account. */
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
  /** Those that began at least `ageMs` ago and that `mayTell` lets go; they are forgotten here. */
  take(ageMs: number, mayTell: (accountId: string | null) => boolean): DroppedCount[];
}

/** Above so many accounts the rest is counted together, as of nobody. */
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
