import { addressPrefixes } from '@tabletop-relay/kit';
import { createWindowCounts } from '@tabletop-relay/limits';
import type { AccountLimits } from '../../limits/limits.ts';
import { ProblemError } from '../../problem.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { ConnectionLog } from './connection-log.ts';
import type { Visitor } from './visitor.ts';

/** Throws `rate_limited` for an address that tries to connect too often. */
export type LimitConnects = (visitor: Visitor) => void;

export interface ConnectLimitDeps {
  limits: Pick<AccountLimits, 'connect'>;
  connectionLog: Pick<ConnectionLog, 'count'>;
}

/**
 * Limits the upgrades per address and world before anything is looked up. Each instance counts alone: a shared count
 * would cost a request to Redis for every attempt, and a key for every id that a stranger invents. The memory of the
 * counts is bounded. An attacker with many addresses can push counts out of it, but the bounds of the connection log
 * hold all the same.
 */
export function createLimitConnects({ limits, connectionLog }: ConnectLimitDeps): LimitConnects {
  const { max, windowMs } = limits.connect;
  const hit = createWindowCounts(() => performance.now());
  return function limitConnects(visitor) {
    // Attempts that the narrow prefix refuses do not count for the wider one, whose other addresses did nothing.
    for (const { block, times } of addressPrefixes(visitor.address)) {
      const { count, resetMs } = hit(`${block} ${visitor.clientId}`, windowMs);
      if (count <= max * times) continue;
      connectionLog.count({ visitor, address: block, outcome: 'rate_limited', closeCode: null });
      const waitS = Math.ceil(resetMs / 1000);
      throw new ProblemError('rate_limited', `Too many attempts to connect. Try again in ${waitS} s.`, {
        retryAfterS: waitS,
        headers: limitHeaders(max * times, waitS),
      });
    }
  };
}
