export { createQuotas, type QuotasOptions } from './create-quotas.ts';
export type { LimitsLog } from './ledger/ledger-link.ts';
export type { Ledger } from './ledger/ledger.ts';
export { createLedgerMemory, createMemoryLedger, type LedgerMemory } from './ledger/memory-ledger.ts';
export type { Hit, Limiter, PersistentLimiter, Quotas, SpendResult } from './quotas.ts';
export { raiseTotals, type SettledTotal } from './ledger/raise-totals.ts';
export { createRedisLedger, type RedisLedgerOptions } from './ledger/redis-ledger.ts';
export { createWindowCounts } from './window-counts.ts';
