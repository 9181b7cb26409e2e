export type { Allowances, Hit, LastingLimiter, Ledger, Limiter, Spent } from './allowances.ts';
export { createAllowances, type AllowancesOptions } from './create-allowances.ts';
export { createLedgerMemory, createMemoryLedger, type LedgerMemory } from './memory-ledger.ts';
export { raiseTotals, type SettledTotal } from './raise-totals.ts';
export { createRedisLedger, type RedisLedgerOptions } from './redis-ledger.ts';
export { createWindowCounts } from './window-counts.ts';
