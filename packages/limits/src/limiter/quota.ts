import type { Grant, ReserveRequest } from '../ledger/ledger.ts';
import type { SpendResult } from '../quotas.ts';

/** One key's quota as this instance knows it. Times are in milliseconds on the monotonic clock. */
export interface Quota {
  readonly key: string;
  limit: number;
  /** The ledger's id of the window. Empty before the ledger's first answer. */
  window: string;
  /** When the window ends. Never later than in the ledger. */
  until: number;
  /** Calls spent here in this window. Of a persistent quota: those that are not settled. */
  spent: number;
  reserve: number;
  /** Calls that no instance held when the ledger last answered. */
  remaining: number;
  /** Settled calls of a persistent quota. */
  total: number | undefined;
  /** Calls since the last tick, and in the second before that tick. Together they predict the next second. */
  currentSecond: number;
  previousSecond: number;
  idleTicks: number;
  /** Nothing remains in the ledger, so it is asked only for waiting calls until the next tick. */
  isExhausted: boolean;
  /** Calls are refused without a request until then. */
  refusedUntil: number;
  /** The share for an outage of the ledger was taken in this window. */
  hasOutageShare: boolean;
  /** The next tick must report to the ledger. */
  isChanged: boolean;
  /** Number of calls that wait for the ledger. */
  waiting: number;
  /** The request to the ledger that is in flight: at most one per quota. */
  request: Promise<void> | undefined;
}

const refusedForMs = 250;
const oneKeptForTicks = 10;

export function createQuota(key: string, limit: number): Quota {
  return {
    key,
    limit,
    window: '',
    until: -Infinity,
    spent: 0,
    reserve: 0,
    remaining: limit,
    total: undefined,
    currentSecond: 0,
    previousSecond: 0,
    idleTicks: 0,
    isExhausted: false,
    refusedUntil: -Infinity,
    hasOutageShare: false,
    isChanged: false,
    waiting: 0,
    request: undefined,
  };
}

export function spendOne(quota: Quota, at: number): SpendResult {
  quota.reserve--;
  quota.spent++;
  quota.currentSecond++;
  return { allowed: true, remaining: quota.remaining + quota.reserve, resetMs: quota.until - at };
}

export function refuse(quota: Quota, at: number): SpendResult {
  return { allowed: false, remaining: 0, resetMs: quota.until - at };
}

/** The call goes back to the ledger and not into the reserve, because the limit may have been lowered meanwhile. */
export function refundOne(quota: Quota): void {
  if (quota.spent === 0) return;
  quota.spent--;
  quota.remaining++;
  quota.refusedUntil = -Infinity;
  quota.isChanged = true;
}

export function settle(quota: Quota, calls: number, total: number): void {
  quota.spent = Math.max(0, quota.spent - calls);
  learnTotal(quota, total);
  quota.isChanged = true;
}

export function learnTotal(quota: Quota, total: number): void {
  quota.total = Math.max(quota.total ?? 0, total);
}

/** Begins the next window before the ledger has confirmed it. */
export function beginWindow(quota: Quota, until: number): void {
  quota.window = '';
  quota.until = until;
  quota.spent = 0;
  quota.reserve = 0;
  quota.remaining = quota.limit;
  quota.isExhausted = false;
  quota.refusedUntil = -Infinity;
  quota.hasOutageShare = false;
}

/** Drops the reserve, because it was granted under the old limit. The next request returns it to the ledger. */
export function changeLimit(quota: Quota, limit: number): void {
  quota.remaining += limit - quota.limit;
  quota.limit = limit;
  quota.reserve = 0;
  quota.isExhausted = false;
  quota.refusedUntil = -Infinity;
  quota.hasOutageShare = false;
}

export function applyGrant(
  quota: Quota,
  request: ReserveRequest,
  grant: Grant,
  { sentAt, answeredAt }: { sentAt: number; answeredAt: number },
): void {
  // The ledger's window is another than the one requested for. What this instance had spent in it still counts.
  if (grant.window !== request.window) quota.spent += grant.held - grant.granted - request.held;
  quota.window = grant.window;
  if (grant.windowMs > 0) quota.until = sentAt + grant.windowMs;
  quota.reserve += grant.granted;
  quota.remaining = grant.remaining;
  quota.isExhausted = request.wanted > 0 && grant.granted <= request.needed && grant.remaining === 0;
  if (grant.granted === 0 && request.needed > 0) quota.refusedUntil = answeredAt + refusedForMs;
}

/** While the ledger is down, adds an equal share of what remained to the reserve, once per window. */
export function takeOutageShare(quota: Quota, instances: number, at: number): void {
  if (!quota.hasOutageShare) {
    quota.hasOutageShare = true;
    const share = Math.floor(Math.max(0, quota.remaining) / Math.max(1, instances));
    quota.reserve += share;
    quota.remaining -= share;
  }
  if (quota.reserve === 0) quota.refusedUntil = at + refusedForMs;
}

/** The ledger is back: what is left of the outage share ends. */
export function endOutageShare(quota: Quota): void {
  if (quota.hasOutageShare) quota.reserve = 0;
  quota.hasOutageShare = false;
  quota.refusedUntil = -Infinity;
}

/**
 * Starts the next second. Answers the part of the reserve that the last second did not need. One call is kept for 10 s
 * after the last, so that the next does not wait, unless so little remains that the other instances may need it.
 */
export function nextSecond(quota: Quota, instances: number): number {
  quota.idleTicks = quota.currentSecond > 0 ? 0 : quota.idleTicks + 1;
  const kept = quota.idleTicks < oneKeptForTicks && quota.remaining >= instances ? 1 : 0;
  const excess = quota.reserve - Math.max(quota.currentSecond, kept);
  quota.previousSecond = quota.currentSecond;
  quota.currentSecond = 0;
  quota.isExhausted = false;
  return excess;
}
