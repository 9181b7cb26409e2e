import type { Database } from '@tabletop-relay/database';
import { Budget } from '@tabletop-relay/kit';
import type { GiveBack } from '@tabletop-relay/kit';
import type { Limiter, Quotas, SpendResult } from '@tabletop-relay/limits';
import { limitHeaders } from '../limits/limit-headers.ts';
import type { LimitHeaders } from '../limits/limit-headers.ts';
import { ProblemError } from '../problem.ts';
import type { Principal } from './authenticate.ts';
import { monthOf } from './month.ts';
import type { Month } from './month.ts';

/** Limits the calls of a key: those in a minute, those in flight at once, and those in a month. */
export interface CallLimits {
  /**
   * Spends one call of the minute from a reserve, and answers with the headers that tell what remains. Rejects with
   * `rate_limited`.
   */
  spendMinute(principal: Principal): Promise<Partial<LimitHeaders>>;
  /**
   * Counts a call as in flight on this instance, until the returned function is called. Throws `rate_limited` when its key has
   * too many.
   */
  enter(principal: Principal): GiveBack;
  /** The monthly quota. A call is spent before it is made, and counted or refunded when its end is known. */
  monthly: Pick<MonthlyLimit, 'spend' | 'count' | 'refund'>;
}

export interface CallLimitsDeps {
  /** 0 means no limit. */
  callsPerMinute: number;
  callsInFlightPerKey: number;
  quotas: Pick<Quotas, 'perWindow'>;
  monthly: CallLimits['monthly'];
}

export function createCallLimits(deps: CallLimitsDeps): CallLimits {
  const { callsPerMinute, callsInFlightPerKey, quotas, monthly } = deps;
  const inFlight = new Budget();
  return {
    spendMinute: createMinuteLimit(quotas.perWindow('calls', 60_000), callsPerMinute),
    enter({ keyId }) {
      const leave = inFlight.take([{ of: keyId, most: callsInFlightPerKey }]);
      if (leave) return leave;
      throw new ProblemError(
        'rate_limited',
        `This key has ${callsInFlightPerKey} calls in flight already. Wait for one to end.`,
        { retryAfterS: 1, headers: limitHeaders(callsInFlightPerKey, 1) },
      );
    },
    monthly,
  };
}

function createMinuteLimit(calls: Limiter, max: number): CallLimits['spendMinute'] {
  const check = ({ allowed, remaining, resetMs }: SpendResult): LimitHeaders => {
    const waitS = Math.ceil(resetMs / 1000);
    if (allowed) return limitHeaders(max, waitS, remaining);
    throw new ProblemError(
      'rate_limited',
      `This key may make ${max} calls a minute; the next one in ${waitS} s.`,
      {
        retryAfterS: waitS,
        headers: limitHeaders(max, waitS),
      },
    );
  };
  return async ({ keyId }) => (max === 0 ? {} : check(await calls.spend(keyId, max)));
}

/** The quota of a key's calls in a calendar month (UTC). */
export interface MonthlyLimit {
  /**
   * Spends one call of the month and returns the time of that in epoch milliseconds. When the call has ended, `count` or
   * `refund` must be called with this time. Rejects with `monthly_limit_reached`; then nothing was spent.
   */
  spend(principal: Principal): Promise<number>;
  /** Records the call that was spent at `spentAt` as used. */
  count(principal: Principal, spentAt: number): void;
  /** Takes back the call that was spent at `spentAt`, so that it does not count for the key. */
  refund(principal: Principal, spentAt: number): void;
  /** To be called when these calls are stored in Postgres, as part of `total`. */
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
    async spend(principal) {
      const at = now();
      const limit = principal.monthlyLimit;
      if (limit === null) return at;
      if (at >= month.endsAt) month = monthOf(at);
      const { start, endsAt } = month;
      const { allowed } = await calls.spend(quotaOf(principal.keyId, start), limit);
      if (!allowed) throw monthlyLimitReached(limit, endsAt - at);
      return at;
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
