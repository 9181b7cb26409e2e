import type { Authority } from '../../cluster.ts';
import type { ClusterTimes } from '../times.ts';

/** The authority of this instance over the clients of one shard, as it follows from the lease and from holds. */
export interface ShardAuthority {
  /** A period of authority without a lapse. Claims that were confirmed in an older term are frozen. */
  term(): number;
  /** The authority of claims that were confirmed in this term. */
  of(term: number): Authority;
  isUsable(): boolean;
  /** A renewal was answered. True when the authority had lapsed before, so that a new term begins. */
  renewed(sentAt: number, answeredAt: number): boolean;
  /** A hold was made in Postgres. Has no effect when the authority ended before. */
  held(sentAt: number): void;
  end(): void;
}

export function createShardAuthority(
  times: Pick<ClusterTimes, 'leaseUsableMs' | 'holdUsableMs'>,
): ShardAuthority {
  let current = 0;
  let leaseUntil = 0;
  let holdUntil = 0;
  const validUntil = (): number => Math.max(leaseUntil, holdUntil);

  return {
    term: () => current,
    of: (term) => {
      if (term !== current) return 'frozen';
      const now = performance.now();
      if (now < leaseUntil) return 'owner';
      return now < holdUntil ? 'held' : 'frozen';
    },
    isUsable: () => performance.now() < validUntil(),
    renewed: (sentAt, answeredAt) => {
      const hasLapsed = answeredAt >= validUntil();
      if (hasLapsed) current += 1;
      leaseUntil = sentAt + times.leaseUsableMs;
      return hasLapsed;
    },
    held: (sentAt) => {
      if (performance.now() < validUntil()) holdUntil = sentAt + times.holdUsableMs;
    },
    end: () => {
      leaseUntil = 0;
      holdUntil = 0;
    },
  };
}
