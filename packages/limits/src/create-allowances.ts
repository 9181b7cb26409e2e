import type { Allowances, Ledger } from './allowances.ts';
import { createLimiter } from './limiter.ts';
import type { LedgerLink, LimiterOptions, TickedLimiter } from './limiter.ts';
import { createWindowCounts } from './window-counts.ts';

/** The part of a pino logger that limits write to. */
export interface LimitsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface AllowancesOptions {
  ledger: Ledger;
  log?: LimitsLog;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** How often a reserve that nobody needs goes back; a test's clock may be faster. */
  tickMs?: number;
}

export function createAllowances(options: AllowancesOptions): Allowances {
  const { ledger, log, now = () => performance.now(), tickMs = 1_000 } = options;
  const limiters: TickedLimiter[] = [];
  const countHere = createWindowCounts(now);
  let timer: NodeJS.Timeout | undefined;
  let isBeating = false;

  const link: LedgerLink = {
    ledger,
    now,
    instances: 1,
    isAway: true,
    onSilence(cause) {
      if (!link.isAway)
        log?.warn({ err: cause }, 'limits are counted by shares: their Redis does not answer');
      link.isAway = true;
    },
  };

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      const instances = Math.max(1, await ledger.beat());
      if (link.isAway || instances !== link.instances) {
        log?.info({ instances }, 'limits are counted over all instances');
      }
      link.instances = instances;
      if (!link.isAway) return;
      link.isAway = false;
      for (const limiter of limiters) limiter.onReturn();
    } catch (cause) {
      link.onSilence(cause);
    } finally {
      isBeating = false;
    }
  }

  function tick(): void {
    void beat();
    for (const limiter of limiters) limiter.tick();
  }

  function add(limiterOptions: LimiterOptions): TickedLimiter {
    const limiter = createLimiter(link, limiterOptions);
    limiters.push(limiter);
    return limiter;
  }

  return {
    async start() {
      await beat();
      timer = setInterval(tick, tickMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(limiters.map((limiter) => limiter.release()));
      await ledger.close();
    },
    perWindow: (name, windowMs) => add({ name, windowMs }),
    lasting: (name, readTotal) => add({ name, windowMs: 0, readTotal }),
    async hit(key, windowMs) {
      if (!link.isAway) {
        try {
          return await ledger.hit(key, windowMs);
        } catch (cause) {
          link.onSilence(cause);
        }
      }
      return countHere(key, windowMs);
    },
    isShared: () => !link.isAway,
  };
}
