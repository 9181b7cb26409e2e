import {
  beginWindow,
  changeLimit,
  giveOneBack,
  keepGrant,
  openAccount,
  refuse,
  takeOne,
  takeShare,
} from './account.ts';
import type { Account } from './account.ts';
import type { Entry, LastingLimiter, Ledger, Spent } from './allowances.ts';

/** The ledger as this instance sees it. */
export interface LedgerLink {
  readonly ledger: Ledger;
  readonly now: () => number;
  /** How many instances share the limits, as last heard. */
  instances: number;
  isAway: boolean;
  /** The ledger did not answer: everybody spends shares until it does. */
  onSilence(cause: unknown): void;
}

export interface LimiterOptions {
  name: string;
  /** 0: a lasting budget, with `readTotal`. */
  windowMs: number;
  readTotal?: (key: string) => Promise<number>;
}

/** A limiter and what the clock asks of it. */
export interface TickedLimiter extends LastingLimiter {
  /** Gives back what the last second did not need. */
  tick(): void;
  /** The ledger answers again: shares end, and it hears what was spent meanwhile. */
  onReturn(): void;
  /** Gives all back. */
  release(): Promise<void>;
}

const forgottenAfterTicks = 60;

export function createLimiter(
  link: LedgerLink,
  { name, windowMs, readTotal }: LimiterOptions,
): TickedLimiter {
  const { ledger, now } = link;
  const accounts = new Map<string, Account>();

  function spend(key: string, limit: number): Spent | Promise<Spent> {
    const account = accounts.get(key);
    if (account !== undefined && account.reserve > 0 && account.limit === limit) {
      const at = now();
      if (at < account.until) return take(account, at);
    }
    const found = account ?? open(key, limit);
    return decide(found, limit) ?? wait(found, limit);
  }

  function open(key: string, limit: number): Account {
    const account = openAccount(key, limit);
    accounts.set(key, account);
    return account;
  }

  function take(account: Account, at: number): Spent {
    const spent = takeOne(account, at);
    const isLow = account.reserve * 2 < account.recent + account.before;
    if (isLow && !account.isDry && account.asking === undefined && !link.isAway) void ask(account);
    return spent;
  }

  /** Undefined: the ledger must be asked, or its answer awaited. */
  function decide(account: Account, limit: number): Spent | undefined {
    const at = now();
    if (account.asking === undefined) {
      if (at >= account.until) beginWindow(account, windowMs > 0 ? at + windowMs : Infinity);
      if (account.limit !== limit) changeLimit(account, limit);
    }
    if (account.reserve > 0 && at < account.until && account.limit === limit) return take(account, at);
    return account.asking === undefined && at < account.refusedUntil ? refuse(account, at) : undefined;
  }

  async function wait(account: Account, limit: number): Promise<Spent> {
    for (;;) {
      account.waiting++;
      await (account.asking ?? ask(account)).finally(() => account.waiting--);
      const spent = decide(account, limit);
      if (spent) return spent;
    }
  }

  /** Never rejects. */
  function ask(account: Account, wanted = Math.max(1, account.recent + account.before)): Promise<void> {
    const asking = enter(account, wanted).finally(() => (account.asking = undefined));
    account.asking = asking;
    return asking;
  }

  async function enter(account: Account, wanted: number): Promise<void> {
    if (!link.isAway) {
      try {
        if (await enterLedger(account, wanted)) return;
      } catch (cause) {
        link.onSilence(cause);
      }
    }
    if (readTotal && account.total === undefined) await learnTotal(account);
    takeShare(account, link.instances, now());
  }

  /** False: nobody can tell what is settled of a lasting budget. */
  async function enterLedger(account: Account, wanted: number): Promise<boolean> {
    const entry: Entry = {
      budget: `${name}:${account.key}`,
      limit: account.limit,
      window: account.window,
      windowMs: windowMs > 0 ? Math.max(1, account.until - now()) : 0,
      held: account.spent + account.reserve,
      reserve: account.reserve,
      needed: account.waiting,
      wanted,
      ...(account.total === undefined ? {} : { total: account.total }),
    };
    const sentAt = now();
    const grant = await ledger.enter(entry);
    if (!grant) return (await learnTotal(account)) && (await enterLedger(account, wanted));
    keepGrant(account, entry, grant, sentAt, now());
    return true;
  }

  async function learnTotal(account: Account): Promise<boolean> {
    const total = await readTotal?.(account.key).catch(() => undefined);
    if (total === undefined) return false;
    account.total = Math.max(account.total ?? 0, total);
    account.left = Math.min(account.left, account.limit - account.total - account.spent - account.reserve);
    return true;
  }

  function tickOne(account: Account, at: number): void {
    const excess = account.reserve - account.recent;
    account.before = account.recent;
    account.recent = 0;
    account.isDry = false;
    account.idleTicks = account.before > 0 ? 0 : account.idleTicks + 1;
    if (account.asking !== undefined || link.isAway) return;
    if (at >= account.until) {
      if (account.idleTicks > 0) accounts.delete(account.key);
      return;
    }
    if (excess > 0) account.reserve -= excess;
    if (excess > 0 || account.isChanged) {
      account.isChanged = false;
      void ask(account, 0);
    } else if (account.idleTicks > forgottenAfterTicks && account.spent === 0) {
      accounts.delete(account.key);
    }
  }

  return {
    spend,
    giveBack(key) {
      const account = accounts.get(key);
      if (account) giveOneBack(account);
    },
    settle(key, calls, total) {
      const account = accounts.get(key);
      if (!account) return;
      account.spent = Math.max(0, account.spent - calls);
      account.total = Math.max(account.total ?? 0, total);
      account.isChanged = true;
    },
    tick() {
      const at = now();
      for (const account of accounts.values()) tickOne(account, at);
    },
    onReturn() {
      for (const account of accounts.values()) {
        if (account.hasShare) account.reserve = 0;
        account.hasShare = false;
        account.refusedUntil = -Infinity;
        // At once: the others spend again as soon as they are back themselves.
        if (account.asking === undefined) void ask(account, 0);
        else account.isChanged = true;
      }
    },
    async release() {
      const running = [...accounts.values()].filter((account) => account.until > now());
      await Promise.all(
        running.map(async (account) => {
          await account.asking;
          account.reserve = 0;
          if (!link.isAway) await ask(account, 0);
        }),
      );
      accounts.clear();
    },
  };
}
