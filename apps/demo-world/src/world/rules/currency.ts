import { Refusal } from '../refusal.ts';
import type { Denomination } from '../state.ts';

/** From the most valuable to the least (SRD 5.1, Equipment: Coinage). */
const denominations = ['pp', 'gp', 'ep', 'sp', 'cp'] as const satisfies Denomination[];

export type Purse = Readonly<Record<Denomination, number>>;

/** Moves coins as they are: no denomination is changed into another to make up what is missing. */
export function transferCoins(
  source: Purse,
  target: Purse,
  amounts: Partial<Purse>,
): { source: Purse; target: Purse } {
  const missing = denominations.filter((coin) => source[coin] < (amounts[coin] ?? 0));
  if (missing.length > 0) {
    throw new Refusal('insufficient_funds', `Not enough ${missing.join(', ')}: nothing was transferred`);
  }
  return { source: addCoins(source, amounts, -1), target: addCoins(target, amounts, 1) };
}

function addCoins(purse: Purse, amounts: Partial<Purse>, sign: 1 | -1): Purse {
  const entries = denominations.map((coin) => [coin, purse[coin] + sign * (amounts[coin] ?? 0)] as const);
  return Object.fromEntries(entries) as Record<Denomination, number>;
}
