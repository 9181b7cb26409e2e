import { createHash, randomBytes } from 'node:crypto';
import type { Authority } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { heartbeatFrame } from '../wire/frames.ts';
import { keys } from '../keys.ts';
import type { Connection } from '../connection.ts';
import { runScript } from '../script.ts';
import { GIVE_UP, RENEW, TAKE } from '../scripts/lease.ts';
import type { ClusterTimes } from '../times.ts';

/** This instance's lease on one shard: what its authority over the clients there follows from. */
export interface Lease {
  /**
   * Rejects when Redis did not answer in time. Resolves with true when the claims must be asserted again, because
   * the lease had ended or the authority had a hole.
   */
  renew(heartbeat: number): Promise<boolean>;
  /** A hold in Postgres counts from its sending, and only while the authority had not ended before it committed. */
  holdSince(sentAt: number): void;
  /** What claims of this chain may do now; those of an older chain are frozen. */
  authority(chain: number): Authority;
  /** Grows each time that the authority had a hole. */
  chain(): number;
  isUsable(): boolean;
  /** Redis' time in ms, as far as the last renewal tells; 0 before the first. */
  redisNow(): number;
  giveUp(): Promise<void>;
}

export interface LeaseOptions {
  boot: string;
  instanceId: string;
  redis: Connection;
  /** Of the list of shards: an instance that knows another list gets no lease. */
  fingerprint: string;
  times: ClusterTimes;
}

/** The shard list of this instance is not the others'. */
export class ShardListMismatch extends ClusterUnavailable {
  override name = 'ShardListMismatch';
}

const fingerprintTtlMs = 60_000;

export function createLease(options: LeaseOptions): Lease {
  const { boot, instanceId, redis, fingerprint, times } = options;
  const scriptKeys = [keys.lease(boot), keys.shardList];
  let token = '';
  let chain = 0;
  let leaseUntil = 0;
  let holdUntil = 0;
  let offsetMs: number | undefined;
  let mustReassert = false;

  const validUntil = (): number => Math.max(leaseUntil, holdUntil);

  const send = async (script: typeof RENEW, heartbeat: number, last: string[]): Promise<boolean> => {
    const sentAt = performance.now();
    const args = [
      token,
      times.leaseMs,
      fingerprintTtlMs,
      keys.commands(boot),
      heartbeatFrame(heartbeat),
      ...last,
    ];
    const [granted, redisTime] = await runScript<[number, string]>(redis, script, scriptKeys, args);
    const answeredAt = performance.now();
    offsetMs = Number(redisTime) - (sentAt + answeredAt) / 2;
    if (granted !== 1) return false;
    // Read before it is lengthened: a hole between two answers freezes every claim until it is made again.
    if (answeredAt >= validUntil()) {
      chain += 1;
      mustReassert = true;
    }
    leaseUntil = sentAt + times.leaseUsableMs;
    return true;
  };

  return {
    renew: async (heartbeat) => {
      if (!token || !(await send(RENEW, heartbeat, []))) {
        // Remembered until an answer comes: a TAKE without one is found standing by the next renewal.
        mustReassert = true;
        token = `${randomBytes(8).toString('hex')} ${instanceId}`;
        if (!(await send(TAKE, heartbeat, [fingerprint]))) throw mismatch();
      }
      const reassert = mustReassert;
      mustReassert = false;
      return reassert;
    },
    holdSince: (sentAt) => {
      if (performance.now() < validUntil()) holdUntil = sentAt + times.holdUsableMs;
    },
    authority: (claimChain) => {
      if (claimChain !== chain) return 'frozen';
      const now = performance.now();
      if (now < leaseUntil) return 'owner';
      return now < holdUntil ? 'held' : 'frozen';
    },
    chain: () => chain,
    isUsable: () => performance.now() < validUntil(),
    redisNow: () => (offsetMs === undefined ? 0 : performance.now() + offsetMs),
    giveUp: async () => {
      leaseUntil = 0;
      holdUntil = 0;
      await runScript(redis, GIVE_UP, [keys.lease(boot)], [token]);
    },
  };
}

function mismatch(): ShardListMismatch {
  return new ShardListMismatch('another list of Redis shards is in use: all instances need the same one');
}

/**
 * Names a list of shards by where they are, not by the credentials used. A fragment (`redis://10.0.0.5#a`) stands
 * for the place where instances reach one Redis by different addresses.
 */
export function shardListFingerprint(urls: readonly string[]): string {
  const places = urls.map((url) => {
    const { hostname, port, pathname, hash } = new URL(url);
    return hash || `${hostname}:${port || 6379}${pathname === '/' ? '' : pathname}`;
  });
  return createHash('sha256').update(places.join(' ')).digest('hex').slice(0, 16);
}
