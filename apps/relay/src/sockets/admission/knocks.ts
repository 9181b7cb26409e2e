import { createWindowCounts } from '@tabletop-relay/limits';
import type { AccountLimits } from '../../limits/limits.ts';
import { addressPrefixes } from '../../limits/ip-allowlist.ts';
import { ProblemError } from '../../problem.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { ConnectionLog } from './connection-log.ts';
import type { Visitor } from './visitor.ts';

/** Throws the 429 for who knocks too often. */
export type LimitKnocks = (visitor: Visitor) => void;

export interface KnockDeps {
  limits: Pick<AccountLimits, 'connect'>;
  connectionLog: Pick<ConnectionLog, 'count'>;
}

/**
 * Refuses an upgrade beyond so many per address and world, before anything is looked up. Counted by this instance
 * alone: a count that instances share is a question to Redis for every knock, and a key there for every id that a
 * stranger makes up. The memory of the counts is bounded; who pushes them out of it with many addresses gets rows
 * by the bounds of the connection log all the same.
 */
export function createLimitKnocks({ limits, connectionLog }: KnockDeps): LimitKnocks {
  const { max, windowMs } = limits.connect;
  const hit = createWindowCounts(() => performance.now());
  return function limitKnocks(visitor) {
    // What a narrow prefix has spent already does not count against the wider one: its neighbours are innocent.
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
