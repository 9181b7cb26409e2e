import type { Ledger } from './ledger.ts';

/** The settled calls of a persistent quota, and its limit. */
export interface SettledTotal {
  /** Name of the limiter. */
  name: string;
  key: string;
  limit: number;
  total: number;
}

/**
 * Tells the ledger the totals that are in the durable store. It is needed for an instance that recorded its usage
 * there and died before it could tell the ledger. Totals only grow. Rejects while the ledger is down.
 */
export async function raiseTotals(ledger: Ledger, totals: readonly SettledTotal[]): Promise<void> {
  for (const { name, key, limit, total } of totals) {
    await ledger.reserve({
      quota: `${name}:${key}`,
      limit,
      total,
      window: '',
      windowMs: 0,
      held: 0,
      reserve: 0,
      needed: 0,
      wanted: 0,
    });
  }
}
