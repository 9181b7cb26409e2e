/** Decides which calls get a row of their own while there are more than an instance records. */
export interface Sampling {
  /** How many calls a row of this one stands for; 0 where it gets none. Failures always get one. */
  weigh(accountId: string, isFailure: boolean): number;
}

interface Share {
  seen: number;
  /** Of so many calls one gets a row. */
  every: number;
}

/** Sampling rate at the begin of a burst, which the second before did not announce. */
const everyInBurst = 20;

/**
 * Accounts share the rows of a second. An account that makes fewer calls than its share has a row for each of them,
 * whatever the others do.
 */
export function createSampling(rowsPerSecond: number, now: () => number = Date.now): Sampling {
  let second = 0;
  let rows = 0;
  let shares = new Map<string, Share>();
  let share = rowsPerSecond;

  function beginSecond(next: number): void {
    const before = next === second + 1 ? shares : new Map<string, Share>();
    const total = [...before.values()].reduce((sum, { seen }) => sum + seen, 0);
    share = Math.max(1, rowsPerSecond / Math.max(1, before.size));
    shares = new Map();
    if (total > rowsPerSecond) {
      for (const [accountId, { seen }] of before)
        if (seen > share) shares.set(accountId, { seen: 0, every: Math.ceil(seen / share) });
    }
    second = next;
    rows = 0;
  }

  return {
    weigh(accountId, isFailure) {
      if (isFailure) return 1;
      const current = Math.floor(now() / 1_000);
      if (current !== second) beginSecond(current);
      let own = shares.get(accountId);
      if (!own) shares.set(accountId, (own = { seen: 0, every: 1 }));
      own.seen++;
      const isBurst = rows >= rowsPerSecond && own.seen > share;
      const every = isBurst ? Math.max(own.every, everyInBurst) : own.every;
      if (own.seen % every !== 0) return 0;
      rows++;
      return every;
    },
  };
}
