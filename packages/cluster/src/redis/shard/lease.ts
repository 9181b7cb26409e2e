import { createHash, randomBytes } from 'node:crypto';
import type { Authority } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { writeMessage } from '../../message.ts';
import type { Connection, Script } from '../connection.ts';
import type { Identity } from '../identity/identity.ts';
import { keys } from '../keys.ts';
import { runScript } from '../connection.ts';
import { GIVE_UP, RENEW, TAKE } from '../scripts/lease.ts';
import type { ClusterTimes } from '../times.ts';

/** The lease of this instance on one shard. Its authority over the clients of the shard follows from it. */
export interface Lease {
  /**
   * Takes the lease or renews it. Resolves with true when the claims must be asserted again, because the lease had
   * ended or the authority had lapsed. Rejects when Redis did not answer in time, or is another one.
   */
  renew(heartbeat: number): Promise<boolean>;
  /** Extends the authority by a hold in Postgres, counted from its sending. Without effect on an ended authority. */
  holdSince(sent: Moment): void;
  /** The authority that claims confirmed in this term have now. In an older term: `frozen`. */
  authority(term: number): Authority;
  /** Number of the current term, which is a period of authority without a lapse. */
  term(): number;
  isUsable(): boolean;
  /** Redis time in ms, as estimated by the last renewal. 0 before the first. */
  redisNow(): number;
  /** Ends the authority at once. A renewal gives it again, in a new term. */
  end(): void;
  giveUp(): Promise<void>;
}

export interface LeaseOptions {
  boot: string;
  instanceId: string;
  redis: Connection;
  /** Fingerprint of the shard list. An instance with another list gets no lease. */
  fingerprint: string;
  identity: Pick<Identity, 'expected' | 'check'>;
  times: ClusterTimes;
}

/** This instance has another shard list than the instances that run already. */
export class ShardListMismatch extends ClusterUnavailable {
  override name = 'ShardListMismatch';
}

const fingerprintTtlMs = 60_000;

export function createLease(options: LeaseOptions): Lease {
  const { boot, instanceId, redis, fingerprint, identity, times } = options;
  const scriptKeys = [keys.lease(boot), keys.shardList, keys.instances, keys.id];
  const authority = createShardAuthority(times);
  const clock = createRedisClock();
  let token = '';
  let mustReassert = false;
  let wasLeased = false;

  const send = async (script: Script, heartbeat: number, last: string[]): Promise<boolean> => {
    const sent = momentNow();
    const { id, mayWrite } = identity.expected();
    const args = [
      token,
      times.leaseMs,
      fingerprintTtlMs,
      keys.commands(boot),
      writeMessage('heartbeat', { count: heartbeat }),
      boot,
      id,
      mayWrite ? '1' : '',
      ...last,
    ];
    const answer = await runScript<[number, string, string]>(redis, script, scriptKeys, args);
    const [granted, redisTime, found] = answer;
    const answeredAt = performance.now();
    identity.check(found);
    clock.set(Number(redisTime), sent.monotonicMs, answeredAt);
    if (granted !== 1) return false;
    wasLeased = true;
    if (authority.renewed(sent, answeredAt)) mustReassert = true;
    return true;
  };

  return {
    renew: async (heartbeat) => {
      if (!token || !(await send(RENEW, heartbeat, [wasLeased ? '1' : '']))) {
        // Kept until an answer comes, because a TAKE whose answer is lost may have taken the lease. Then RENEW succeeds.
        mustReassert = true;
        token = `${randomBytes(8).toString('hex')} ${instanceId}`;
        if (!(await send(TAKE, heartbeat, [fingerprint]))) throw mismatch();
      }
      const reassert = mustReassert;
      mustReassert = false;
      return reassert;
    },
    holdSince: authority.held,
    authority: authority.of,
    term: authority.term,
    isUsable: authority.isUsable,
    redisNow: clock.now,
    end: authority.end,
    giveUp: async () => {
      authority.end();
      await runScript(redis, GIVE_UP, [keys.lease(boot)], [token]);
    },
  };
}

/** Redis time, estimated from the middle between the sending of a renewal and its answer. */
function createRedisClock() {
  let offsetMs: number | undefined;
  return {
    set: (redisTime: number, sentAt: number, answeredAt: number): void => {
      offsetMs = redisTime - (sentAt + answeredAt) / 2;
    },
    now: (): number => (offsetMs === undefined ? 0 : performance.now() + offsetMs),
  };
}

function mismatch(): ShardListMismatch {
  return new ShardListMismatch(
    'another list of Redis shards is in use, or instances of a version that these cannot talk to',
  );
}

/** What instances send each other. Those of another protocol would misread it, so they do not start beside each other. */
export const protocol = 'heads of JSON';

/**
 * Identifies a list of shards by their addresses, without credentials. A fragment (`redis://10.0.0.5#a`) replaces the
 * address, for instances that reach the same Redis by different addresses.
 */
export function shardListFingerprint(urls: readonly string[]): string {
  const places = urls.map((url) => {
    const { hostname, port, pathname, hash } = new URL(url);
    return hash || `${hostname}:${port || 6379}${pathname === '/' ? '' : pathname}`;
  });
  return createHash('sha256')
    .update([protocol, ...places].join(' '))
    .digest('hex')
    .slice(0, 16);
}

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

/**
 * A moment on both clocks of the machine. While a virtual machine is suspended the monotonic clock stands still, and the wall
 * clock is right again when it wakes.
 */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function momentNow(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Time since a moment that the monotonic clock did not count: the machine was suspended, or its wall clock was set forward. */
function uncountedMsSince(moment: Moment): number {
  const now = momentNow();
  return now.wallMs - moment.wallMs - (now.monotonicMs - moment.monotonicMs);
}
