import type { Ledger } from './allowances.ts';

/** What is settled of a lasting budget, and its limit. */
export interface SettledTotal {
  /** The limiter's name. */
  name: string;
  key: string;
  limit: number;
  total: number;
}

/**
 * Tells the ledger totals that no instance told it: one that wrote its usage down and died before it could say so.
 * Only raises them. Rejects while the ledger is away.
 */
export async function raiseTotals(ledger: Ledger, totals: readonly SettledTotal[]): Promise<void> {
  for (const { name, key, limit, total } of totals) {
    await ledger.enter({
      budget: `${name}:${key}`,
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
