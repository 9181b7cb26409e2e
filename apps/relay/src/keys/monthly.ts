import type { Quotas, SpendResult } from '@tabletop-relay/limits';
import type { Database } from '@tabletop-relay/database';
import type { Principal } from './authenticate.ts';
import { ProblemError } from '../problem.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import { monthOf } from './month.ts';
import type { Month } from './month.ts';

/** The quota of a key's calls in a calendar month (UTC). */
export interface MonthlyLimit {
  /**
   * Spends one call of the month and answers when it did, in epoch milliseconds. When the call has ended, `count` or
   * `refund` must be told that time. Throws or rejects with `monthly_limit_reached`; then nothing was spent.
   */
  spend(principal: Principal): number | Promise<number>;
  /** Records the call that was spent at `spentAt` as used. */
  count(principal: Principal, spentAt: number): void;
  /** Takes back the call that was spent at `spentAt`: it is not charged to the key. */
  refund(principal: Principal, spentAt: number): void;
  /** Tells that these calls are stored in Postgres as part of `total`. */
  settle(written: { keyId: string; month: string; calls: number; total: number }): void;
}

export interface MonthlyLimitDeps {
  db: Database;
  quotas: Quotas;
  /** Records the call for Postgres. Called for keys without a limit too. */
  countCall: (principal: Principal, at: number) => void;
  now: () => number;
}

export function createMonthlyLimit({ db, quotas, countCall, now }: MonthlyLimitDeps): MonthlyLimit {
  const calls = quotas.persistent('month', (quota) => readTotal(db, quota));
  let month: Month = monthOf(now());

  return {
    spend(principal) {
      const at = now();
      const limit = principal.monthlyLimit;
      if (limit === null) return at;
      if (at >= month.endsAt) month = monthOf(at);
      const { endsAt } = month;
      const check = (result: SpendResult): number => {
        if (!result.allowed) throw monthlyLimitReached(limit, endsAt - at);
        return at;
      };
      const result = calls.spend(quotaOf(principal.keyId, month.start), limit);
      return result instanceof Promise ? result.then(check) : check(result);
    },
    count: countCall,
    refund(principal, spentAt) {
      if (principal.monthlyLimit !== null) calls.refund(quotaOf(principal.keyId, monthOf(spentAt).start));
    },
    settle: ({ keyId, month, calls: settled, total }) => calls.settle(quotaOf(keyId, month), settled, total),
  };
}

const quotaOf = (keyId: string, month: string): string => `${keyId}:${month}`;

async function readTotal(db: Database, quota: string): Promise<number> {
  const [keyId = '', month = ''] = quota.split(':');
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
