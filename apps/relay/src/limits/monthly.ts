import type { Allowances, Spent } from '@tabletop-relay/limits';
import type { Database } from '@tabletop-relay/database';
import type { Principal } from '../auth/authenticate.ts';
import { ProblemError } from '../http/problem.ts';
import { limitHeaders } from './limit-headers.ts';
import { monthOf } from './month.ts';
import type { Month } from './month.ts';

/** The calls of a key in a calendar month (UTC). */
export interface MonthlyLimit {
  /**
   * Takes one call out of the month and tells when, for the word that follows: `count` or `giveBack`. Throws or
   * rejects with `monthly_limit_reached`, and has taken nothing then.
   */
  spend(principal: Principal): number | Promise<number>;
  /** The call that was spent then counts. */
  count(principal: Principal, spentAt: number): void;
  /** The call that was spent then never counted. */
  giveBack(principal: Principal, spentAt: number): void;
  /** These calls stand in Postgres by now, as part of `total`. */
  settle(written: { keyId: string; month: string; calls: number; total: number }): void;
}

export interface MonthlyLimitDeps {
  db: Database;
  allowances: Allowances;
  /** Counts the call for Postgres, also of keys without a limit. */
  countCall: (principal: Principal, at: number) => void;
  now: () => number;
}

export function createMonthlyLimit({ db, allowances, countCall, now }: MonthlyLimitDeps): MonthlyLimit {
  const calls = allowances.lasting('month', (budget) => readTotal(db, budget));
  let month: Month = monthOf(now());

  return {
    spend(principal) {
      const at = now();
      const limit = principal.monthlyLimit;
      if (limit === null) return at;
      if (at >= month.endsAt) month = monthOf(at);
      const { endsAt } = month;
      const settle = (spent: Spent): number => {
        if (!spent.allowed) throw monthlyLimitReached(limit, endsAt - at);
        return at;
      };
      const spent = calls.spend(budgetOf(principal.keyId, month.start), limit);
      return spent instanceof Promise ? spent.then(settle) : settle(spent);
    },
    count: countCall,
    giveBack(principal, spentAt) {
      if (principal.monthlyLimit !== null) calls.giveBack(budgetOf(principal.keyId, monthOf(spentAt).start));
    },
    settle: ({ keyId, month, calls: settled, total }) => calls.settle(budgetOf(keyId, month), settled, total),
  };
}

const budgetOf = (keyId: string, month: string): string => `${keyId}:${month}`;

async function readTotal(db: Database, budget: string): Promise<number> {
  const [keyId = '', month = ''] = budget.split(':');
  const row = await db
    .selectFrom('keyUsage')
    .select('calls')
    .where('keyId', '=', keyId)
    .where('month', '=', month)
    .executeTakeFirst();
  return Number(row?.calls ?? 0);
}

function monthlyLimitReached(limit: number, waitMs: number): ProblemError {
  const waitS = Math.max(1, Math.ceil(waitMs / 1000));
  return new ProblemError(
    'monthly_limit_reached',
    `This key may make ${limit} calls a month; all are spent.`,
    {
      retryAfterS: waitS,
      headers: limitHeaders(limit, waitS),
    },
  );
}
