import type { Ledger } from './ledger/ledger.ts';
import type { LimitsLog } from './ledger/ledger-link.ts';
import { createLedgerLink } from './ledger/ledger-link.ts';
import type { TickingLimiter } from './limiter/limiter.ts';
import { createLimiter } from './limiter/limiter.ts';
import type { Quotas } from './quotas.ts';
import type { LimiterOptions } from './limiter/refill.ts';
import { createWindowCounts } from './window-counts.ts';

export interface QuotasOptions {
  ledger: Ledger;
  log?: LimitsLog;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** How often unneeded reserves are returned. Default: 1 s. Tests may use less. */
  tickMs?: number;
}

export function createQuotas(options: QuotasOptions): Quotas {
  const { ledger, log, now = () => performance.now(), tickMs = 1_000 } = options;
  const limiters: TickingLimiter[] = [];
  const countLocally = createWindowCounts(now);
  let timer: NodeJS.Timeout | undefined;

  const link = createLedgerLink({
    ledger,
    log,
    now,
    onRecovery: () => limiters.forEach((limiter) => limiter.onRecovery()),
  });

  function tick(): void {
    void link.heartbeat();
    for (const limiter of limiters) limiter.tick();
  }

  function add(limiterOptions: LimiterOptions): TickingLimiter {
    const limiter = createLimiter(link, limiterOptions);
    limiters.push(limiter);
    return limiter;
  }

  return {
    async start() {
      await link.heartbeat();
      timer = setInterval(tick, tickMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(limiters.map((limiter) => limiter.release()));
      await ledger.close();
    },
    perWindow: (name, windowMs) => add({ name, windowMs }),
    persistent: (name, readTotal) => add({ name, windowMs: 0, readTotal }),
    async hit(key, windowMs) {
      if (!link.isDown) {
        try {
          return await ledger.hit(key, windowMs);
        } catch (cause) {
          link.onFailure(cause);
        }
      }
      return countLocally(key, windowMs);
    },
    isShared: () => !link.isDown,
  };
}
