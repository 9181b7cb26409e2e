import type { Principal } from '../auth/authenticate.ts';
import { ProblemError } from '../http/problem.ts';
import type { MonthlyLimit } from './monthly.ts';

/** What a key may do at once and in a month. */
export interface CallLimits {
  /** Throws `rate_limited` when the key has too many calls in flight on this instance. */
  enter(principal: Principal): void;
  leave(principal: Principal): void;
  /** Counts one call of the month; throws or rejects with `monthly_limit_reached`. Nothing to await: undefined. */
  spendMonthly(principal: Principal): Promise<void> | undefined;
}

export function createCallLimits(options: {
  callsInFlightPerKey: number;
  monthly: Pick<MonthlyLimit, 'spend'>;
}): CallLimits {
  const inFlight = new Map<string, number>();
  return {
    enter({ keyId }) {
      const count = inFlight.get(keyId) ?? 0;
      if (count >= options.callsInFlightPerKey) {
        throw new ProblemError(
          'rate_limited',
          `This key has ${count} calls in flight already. Wait for one to end.`,
        );
      }
      inFlight.set(keyId, count + 1);
    },
    leave({ keyId }) {
      const count = (inFlight.get(keyId) ?? 1) - 1;
      if (count > 0) inFlight.set(keyId, count);
      else inFlight.delete(keyId);
    },
    spendMonthly: options.monthly.spend,
  };
}
