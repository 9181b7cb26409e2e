import type { Entry, Grant, Spent } from './allowances.ts';

/** What one instance knows of one key of a limiter. Times are on the monotonic clock. */
export interface Account {
  readonly key: string;
  limit: number;
  /** The ledger's name of the window; empty before its first answer. */
  window: string;
  /** When the window ends, at the latest: never after the ledger's own. */
  until: number;
  /** Spent here in this window; of a lasting budget, since it was last settled. */
  spent: number;
  reserve: number;
  /** Over all instances, beside all reserves, when the ledger last answered. */
  left: number;
  /** Settled, of a lasting budget. */
  total: number | undefined;
  /** Calls since the last tick, and in the second before it: what the next second may need. */
  recent: number;
  before: number;
  idleTicks: number;
  /** The ledger gives no reserve any more: not asked ahead of need again before the next tick. */
  isDry: boolean;
  /** Until then refused without asking. */
  refusedUntil: number;
  /** This window's share for the time without the ledger has been taken. */
  hasShare: boolean;
  /** The ledger must hear of it at the next tick. */
  isChanged: boolean;
  waiting: number;
  asking: Promise<void> | undefined;
}

const refusedForMs = 250;

export function openAccount(key: string, limit: number): Account {
  return {
    key,
    limit,
    window: '',
    until: -Infinity,
    spent: 0,
    reserve: 0,
    left: limit,
    total: undefined,
    recent: 0,
    before: 0,
    idleTicks: 0,
    isDry: false,
    refusedUntil: -Infinity,
    hasShare: false,
    isChanged: false,
    waiting: 0,
    asking: undefined,
  };
}

export function takeOne(account: Account, at: number): Spent {
  account.reserve--;
  account.spent++;
  account.recent++;
  return { allowed: true, left: account.left + account.reserve, resetMs: account.until - at };
}

export function refuse(account: Account, at: number): Spent {
  return { allowed: false, left: 0, resetMs: account.until - at };
}

/** Back to all, not into the reserve: the limit may have been lowered meanwhile. */
export function giveOneBack(account: Account): void {
  if (account.spent === 0) return;
  account.spent--;
  account.left++;
  account.refusedUntil = -Infinity;
  account.isChanged = true;
}

/** The next window begins here, before the ledger has heard of it. */
export function beginWindow(account: Account, until: number): void {
  account.window = '';
  account.until = until;
  account.spent = 0;
  account.reserve = 0;
  account.left = account.limit;
  account.isDry = false;
  account.refusedUntil = -Infinity;
  account.hasShare = false;
}

/** The reserve was granted under the old limit: it goes back with the next word to the ledger. */
export function changeLimit(account: Account, limit: number): void {
  account.left += limit - account.limit;
  account.limit = limit;
  account.reserve = 0;
  account.isDry = false;
  account.refusedUntil = -Infinity;
  account.hasShare = false;
}

export function keepGrant(account: Account, entry: Entry, grant: Grant, sentAt: number, at: number): void {
  // Another window than we thought: what we spent in it before counts on.
  if (grant.window !== entry.window) account.spent += grant.held - grant.granted - entry.held;
  account.window = grant.window;
  if (grant.windowMs > 0) account.until = sentAt + grant.windowMs;
  account.reserve += grant.granted;
  account.left = grant.left;
  account.isDry = entry.wanted > 0 && grant.granted <= entry.needed;
  if (grant.granted === 0 && entry.needed > 0) account.refusedUntil = at + refusedForMs;
}

/** Without the ledger: an equal share of what was left as far as this instance knows. Once per window. */
export function takeShare(account: Account, instances: number, at: number): void {
  if (!account.hasShare) {
    account.hasShare = true;
    const share = Math.floor(Math.max(0, account.left) / Math.max(1, instances));
    account.reserve += share;
    account.left -= share;
  }
  if (account.reserve === 0) account.refusedUntil = at + refusedForMs;
}
