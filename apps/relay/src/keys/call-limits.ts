import type { Principal } from './authenticate.ts';
import { ProblemError } from '../problem.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import type { MonthlyLimit } from './monthly.ts';

/** Limits the calls of a key: those in flight at once, and those in a month. */
export interface CallLimits {
  /** Throws `rate_limited` when the key has too many calls in flight on this instance. */
  enter(principal: Principal): void;
  leave(principal: Principal): void;
  /** The monthly quota. A call is spent before it is made, and counted or refunded when its end is known. */
  monthly: Pick<MonthlyLimit, 'spend' | 'count' | 'refund'>;
}

export function createCallLimits({
  callsInFlightPerKey,
  monthly,
}: {
  callsInFlightPerKey: number;
  monthly: CallLimits['monthly'];
}): CallLimits {
  const inFlight = new Map<string, number>();
  return {
    enter({ keyId }) {
      const count = inFlight.get(keyId) ?? 0;
      if (count >= callsInFlightPerKey) {
        throw new ProblemError(
          'rate_limited',
          `This key has ${count} calls in flight already. Wait for one to end.`,
          { retryAfterS: 1, headers: limitHeaders(callsInFlightPerKey, 1) },
        );
      }
      inFlight.set(keyId, count + 1);
    },
    leave({ keyId }) {
      const count = (inFlight.get(keyId) ?? 1) - 1;
      if (count > 0) inFlight.set(keyId, count);
      else inFlight.delete(keyId);
    },
    monthly,
  };
}
