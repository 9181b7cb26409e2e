import type { Allowances, Spent } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { Principal } from '../auth/authenticate.ts';
import { ProblemError } from '../http/problem.ts';
import { monthOf } from './month.ts';
import type { Month } from './month.ts';

/** The calls of a key in a calendar month (UTC). */
export interface MonthlyLimit {
  /** Counts one call; throws or rejects with `monthly_limit_reached`, and has counted nothing then. */
  spend(principal: Principal): Promise<void> | undefined;
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
      if (limit === null) {
        countCall(principal, at);
        return undefined;
      }
      if (at >= month.endsAt) month = monthOf(at);
      const { endsAt } = month;
      const settle = (spent: Spent): undefined => {
        if (!spent.allowed) throw monthlyLimitReached(limit, endsAt - at);
        countCall(principal, at);
      };
      const spent = calls.spend(budgetOf(principal.keyId, month.start), limit);
      return spent instanceof Promise ? spent.then(settle) : settle(spent);
    },
    settle: ({ keyId, month, calls: settled, total }) => calls.settle(budgetOf(keyId, month), settled, total),
  };
}

const budgetOf = (keyId: string, month: string): string => `${keyId}:${month}`;

async function readTotal(db: Database, budget: string): Promise<number> {
  const [keyId = '', month = ''] = budget.split(':');
  const row = await db
    .selectFrom('key_usage')
    .select('calls')
    .where('key_id', '=', keyId)
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
      headers: {
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(waitS),
      },
    },
  );
}
