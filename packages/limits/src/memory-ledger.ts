import type { Entry, Grant, Hit, Ledger } from './allowances.ts';
import { grantOf } from './allowances.ts';
import { createWindowCounts } from './window-counts.ts';

/** What the instances of one process share in place of a Redis. */
export interface LedgerMemory {
  readonly budgets: Map<string, Budget>;
  readonly living: Set<string>;
  hit(key: string, windowMs: number): Hit;
  readonly now: () => number;
}

interface Budget {
  readonly window: string;
  /** Infinity for a lasting one. */
  readonly until: number;
  total: number;
  readonly held: Map<string, number>;
}

export function createLedgerMemory(now: () => number = () => performance.now()): LedgerMemory {
  return { budgets: new Map(), living: new Set(), hit: createWindowCounts(now), now };
}

/** The ledger of one process: what the embedded default runs on. Never away. */
export function createMemoryLedger(boot: string, memory: LedgerMemory = createLedgerMemory()): Ledger {
  const { budgets, living, now } = memory;
  let opened = 0;

  function open(entry: Entry): Budget | undefined {
    const known = budgets.get(entry.budget);
    if (known && known.until > now()) return known;
    if (entry.windowMs === 0 && entry.total === undefined) return undefined;
    const until = entry.windowMs === 0 ? Infinity : now() + entry.windowMs;
    const budget: Budget = { window: `${boot}-${++opened}`, until, total: 0, held: new Map() };
    budgets.set(entry.budget, budget);
    return budget;
  }

  function enter(entry: Entry): Grant | undefined {
    const budget = open(entry);
    if (!budget) return undefined;
    budget.total = Math.max(budget.total, entry.total ?? 0);
    if (entry.window === budget.window || !budget.held.has(boot)) budget.held.set(boot, entry.held);
    let left = entry.limit - budget.total;
    for (const held of budget.held.values()) left -= held;
    const granted = grantOf(entry, left, living.size);
    const held = (budget.held.get(boot) ?? 0) + granted;
    budget.held.set(boot, held);
    const windowMs = budget.until === Infinity ? 0 : budget.until - now();
    return { granted, held, windowMs, left: Math.max(0, left - granted), window: budget.window };
  }

  function sweep(): void {
    for (const [key, { until, held }] of budgets) {
      const idle = until === Infinity && [...held.values()].every((calls) => calls === 0);
      if (until <= now() || idle) budgets.delete(key);
    }
  }

  return {
    beat() {
      sweep();
      living.add(boot);
      return Promise.resolve(living.size);
    },
    enter: (entry) => Promise.resolve(enter(entry)),
    hit: (key, windowMs) => Promise.resolve(memory.hit(key, windowMs)),
    close() {
      living.delete(boot);
      return Promise.resolve();
    },
  };
}
