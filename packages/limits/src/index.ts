export { createQuotas, type QuotasOptions } from './create-quotas.ts';
export type { LimitsLog } from './ledger-link.ts';
export type { Ledger } from './ledger.ts';
export { createLedgerMemory, createMemoryLedger, type LedgerMemory } from './memory-ledger.ts';
export type { Hit, Limiter, PersistentLimiter, Quotas, SpendResult } from './quotas.ts';
export { raiseTotals, type SettledTotal } from './raise-totals.ts';
export { createRedisLedger, type RedisLedgerOptions } from './redis-ledger.ts';
export { createWindowCounts } from './window-counts.ts';
