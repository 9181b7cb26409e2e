import type { Authority } from '../../cluster.ts';
import type { ClusterTimes } from '../times.ts';
import type { Moment } from './moment.ts';
import { uncountedMsSince } from './moment.ts';

/** The authority of this instance over the clients of one shard, as it follows from the lease and from holds. */
export interface ShardAuthority {
  /** A period of authority without a lapse. Claims that were confirmed in an older term are frozen. */
  term(): number;
  /** The authority of claims that were confirmed in this term. */
  of(term: number): Authority;
  isUsable(): boolean;
  /** A renewal was answered. True when the authority had lapsed before, so that a new term begins. */
  renewed(sent: Moment, answeredAt: number): boolean;
  /** A hold was made in Postgres. Has no effect when the authority ended before. */
  held(sent: Moment): void;
  end(): void;
}

/** What makes the authority valid: its time by the monotonic clock, and the moment from which that was counted. */
interface Grant {
  readonly until: number;
  readonly sent: Moment;
}

const none: Grant = { until: 0, sent: { monotonicMs: 0, wallMs: 0 } };

/**
 * A grant is usable for less than it is given. Machines that are suspended for longer than the difference may find another
 * owner in their place, and commands whose time is over: then they have no authority until a new grant.
 */
export function createShardAuthority(
  times: Pick<ClusterTimes, 'leaseMs' | 'leaseUsableMs' | 'holdMs' | 'holdUsableMs'>,
): ShardAuthority {
  let current = 0;
  let lease = none;
  let hold = none;
  const byLease = (at: number): boolean =>
    at < lease.until && uncountedMsSince(lease.sent) < times.leaseMs - times.leaseUsableMs;
  const byHold = (at: number): boolean =>
    at < hold.until && uncountedMsSince(hold.sent) < times.holdMs - times.holdUsableMs;
  const isUsableAt = (at: number): boolean => byLease(at) || byHold(at);

  return {
    term: () => current,
    of: (term) => {
      if (term !== current) return 'frozen';
      const now = performance.now();
      if (byLease(now)) return 'owner';
      return byHold(now) ? 'held' : 'frozen';
    },
    isUsable: () => isUsableAt(performance.now()),
    renewed: (sent, answeredAt) => {
      const hasLapsed = !isUsableAt(answeredAt);
      if (hasLapsed) current += 1;
      lease = { until: sent.monotonicMs + times.leaseUsableMs, sent };
      return hasLapsed;
    },
    held: (sent) => {
      if (isUsableAt(performance.now())) hold = { until: sent.monotonicMs + times.holdUsableMs, sent };
    },
    end: () => {
      lease = none;
      hold = none;
    },
  };
}
