import type { Grant, Ledger, ReserveRequest } from './ledger.ts';
import { grantOf } from './ledger.ts';
import type { Hit } from '../quotas.ts';
import { createWindowCounts } from '../window-counts.ts';

/** The state that the instances of one process share instead of a Redis. */
export interface LedgerMemory {
  readonly quotas: Map<string, StoredQuota>;
  /** Boot ids of the registered instances. */
  readonly instances: Set<string>;
  hit(key: string, windowMs: number): Hit;
  readonly now: () => number;
}

interface StoredQuota {
  readonly window: string;
  /** Infinity for a persistent quota. */
  readonly until: number;
  total: number;
  /** Calls held, by boot id. */
  readonly held: Map<string, number>;
}

export function createLedgerMemory(now: () => number = () => performance.now()): LedgerMemory {
  return { quotas: new Map(), instances: new Set(), hit: createWindowCounts(now), now };
}

/** The ledger of one process, for an installation without Redis. Never down. */
export function createMemoryLedger(boot: string, memory: LedgerMemory = createLedgerMemory()): Ledger {
  const { quotas, instances, now } = memory;
  let windows = 0;

  function open(request: ReserveRequest): StoredQuota | undefined {
    const known = quotas.get(request.quota);
    if (known && known.until > now()) return known;
    if (request.windowMs === 0 && request.total === undefined) return undefined;
    const until = request.windowMs === 0 ? Infinity : now() + request.windowMs;
    const quota: StoredQuota = { window: `${boot}-${++windows}`, until, total: 0, held: new Map() };
    quotas.set(request.quota, quota);
    return quota;
  }

  function reserve(request: ReserveRequest): Grant | undefined {
    const quota = open(request);
    if (!quota) return undefined;
    quota.total = Math.max(quota.total, request.total ?? 0);
    if (request.window === quota.window || !quota.held.has(boot)) quota.held.set(boot, request.held);
    let remaining = request.limit - quota.total;
    for (const held of quota.held.values()) remaining -= held;
    const granted = grantOf(request, remaining, instances.size);
    const held = (quota.held.get(boot) ?? 0) + granted;
    quota.held.set(boot, held);
    const windowMs = quota.until === Infinity ? 0 : quota.until - now();
    return { granted, held, windowMs, remaining: Math.max(0, remaining - granted), window: quota.window };
  }

  function forgetUnused(): void {
    for (const [key, { until, held }] of quotas) {
      const isIdle = until === Infinity && [...held.values()].every((calls) => calls === 0);
      if (until <= now() || isIdle) quotas.delete(key);
    }
  }

  return {
    heartbeat() {
      forgetUnused();
      instances.add(boot);
      return Promise.resolve(instances.size);
    },
    reserve: (request) => Promise.resolve(reserve(request)),
    hit: (key, windowMs) => Promise.resolve(memory.hit(key, windowMs)),
    close() {
      instances.delete(boot);
      return Promise.resolve();
    },
  };
}
