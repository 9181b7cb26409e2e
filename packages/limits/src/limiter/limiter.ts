import type { LedgerLink } from '../ledger/ledger-link.ts';
import type { Quota } from './quota.ts';
import {
  beginWindow,
  changeLimit,
  createQuota,
  endOutageShare,
  nextSecond,
  refundOne,
  refuse,
  settle,
  spendOne,
} from './quota.ts';
import type { PersistentLimiter, SpendResult } from '../quotas.ts';
import type { LimiterOptions, Refill } from './refill.ts';
import { createRefill } from './refill.ts';

/** A limiter with what its owner calls every second and at the start and end of an outage. */
export interface TickingLimiter extends PersistentLimiter {
  /** Returns the part of each reserve that the last second did not need, but one where the key called lately. */
  tick(): void;
  /** Ends the outage shares and reports what was spent during the outage. */
  onRecovery(): void;
  /** Returns all reserves. */
  release(): Promise<void>;
  /** Number of keys whose quotas are kept in memory. A tick forgets those that are idle. */
  kept(): number;
}

const forgottenAfterTicks = 60;

export function createLimiter(link: LedgerLink, options: LimiterOptions): TickingLimiter {
  const { now } = link;
  const { windowMs } = options;
  const quotas = new Map<string, Quota>();
  const refill = createRefill(link, options);

  async function spend(key: string, limit: number): Promise<SpendResult> {
    const known = quotas.get(key);
    if (known !== undefined && known.reserve > 0 && known.limit === limit) {
      const at = now();
      if (at < known.until) return spendReserve(known, at);
    }
    const quota = known ?? createQuota(key, limit);
    if (known === undefined) quotas.set(key, quota);
    return decide(quota, limit) ?? (await waitForLedger(quota, limit));
  }

  function spendReserve(quota: Quota, at: number): SpendResult {
    const result = spendOne(quota, at);
    const isLow = quota.reserve * 2 < quota.currentSecond + quota.previousSecond;
    if (isLow && !quota.isExhausted && quota.request === undefined && !link.isDown) void refill(quota);
    return result;
  }

  /** Undefined when the decision needs an answer of the ledger. */
  function decide(quota: Quota, limit: number): SpendResult | undefined {
    const at = now();
    if (quota.request === undefined) {
      if (at >= quota.until) beginWindow(quota, windowMs > 0 ? at + windowMs : Infinity);
      if (quota.limit !== limit) changeLimit(quota, limit);
    }
    if (quota.reserve > 0 && at < quota.until && quota.limit === limit) return spendReserve(quota, at);
    return quota.request === undefined && at < quota.refusedUntil ? refuse(quota, at) : undefined;
  }

  async function waitForLedger(quota: Quota, limit: number): Promise<SpendResult> {
    for (;;) {
      quota.waiting++;
      await (quota.request ?? refill(quota)).finally(() => quota.waiting--);
      const result = decide(quota, limit);
      if (result) return result;
    }
  }

  return { spend, ...createUpkeep(quotas, link, refill) };
}

/** Everything of a limiter but the spending. */
function createUpkeep(
  quotas: Map<string, Quota>,
  link: LedgerLink,
  refill: Refill,
): Omit<TickingLimiter, 'spend'> {
  const { now } = link;
  return {
    refund(key) {
      const quota = quotas.get(key);
      if (quota) refundOne(quota);
    },
    settle(key, calls, total) {
      const quota = quotas.get(key);
      if (quota) settle(quota, calls, total);
    },
    tick() {
      const at = now();
      for (const quota of quotas.values()) {
        const excess = nextSecond(quota, link.instances);
        if (quota.request !== undefined || link.isDown) continue;
        if (isForgettable(quota, excess, at)) quotas.delete(quota.key);
        else if (at < quota.until) returnExcess(quota, excess, refill);
      }
    },
    onRecovery() {
      for (const quota of quotas.values()) {
        endOutageShare(quota);
        // Reported without waiting for the tick, because the other instances spend again as soon as they recover.
        if (quota.request === undefined) void refill(quota, 0);
        else quota.isChanged = true;
      }
    },
    async release() {
      const running = [...quotas.values()].filter((quota) => quota.until > now());
      await Promise.all(
        running.map(async (quota) => {
          await quota.request;
          quota.reserve = 0;
          if (!link.isDown) await refill(quota, 0);
        }),
      );
      quotas.clear();
    },
    kept: () => quotas.size,
  };
}

/** Whether the quota can be dropped from memory: its window has ended, or it is idle and holds nothing. */
function isForgettable(quota: Quota, excess: number, at: number): boolean {
  if (at >= quota.until) return quota.idleTicks > 0;
  const holdsNothing = excess <= 0 && !quota.isChanged && quota.spent === 0;
  return holdsNothing && quota.idleTicks > forgottenAfterTicks;
}

function returnExcess(quota: Quota, excess: number, refill: Refill): void {
  if (excess <= 0 && !quota.isChanged) return;
  if (excess > 0) quota.reserve -= excess;
  quota.isChanged = false;
  void refill(quota, 0);
}
