import type { Authority, Claim } from '../../cluster.ts';
import type { ClaimAnswer } from '../../contend.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import { CLAIM, RELEASE } from '../scripts/claims.ts';

/** A client that this instance owns, as far as it knows. */
export interface OwnedClaim extends Claim {
  epoch: number;
  readonly shard: RedisShard;
  /** The chain of authority in which Redis last confirmed the claim; one of an older chain is frozen. */
  chain: number;
  readonly claimedAt: number;
}

/** What this instance owns, by client; shared by the parts of the directory. */
export interface Claims {
  readonly owned: Map<string, OwnedClaim>;
  /** Conns whose CLAIM is under way: Redis may know them before this instance does. */
  readonly claiming: Set<string>;
  /** Forgets at once, so that no frame goes out any more; best effort in Redis, repeated once it is back. */
  release(shard: RedisShard, clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** Repeats the releases that Redis has not answered. */
  flush(shard: RedisShard): void;
}

export function createClaims(): Claims {
  const owned = new Map<string, OwnedClaim>();
  const unreleased = new Map<string, { shard: RedisShard; clientId: string; movingMs: number }>();

  const release = async (shard: RedisShard, clientId: string, conn: string, movingMs = 0): Promise<void> => {
    if (owned.get(clientId)?.conn === conn) owned.delete(clientId);
    try {
      await sendRelease(shard, clientId, conn, movingMs);
    } catch {
      unreleased.set(conn, { shard, clientId, movingMs });
    }
  };

  return {
    owned,
    claiming: new Set(),
    release,
    flush: (shard) => {
      for (const [conn, one] of unreleased) {
        if (one.shard !== shard) continue;
        unreleased.delete(conn);
        void release(shard, one.clientId, conn, one.movingMs);
      }
    },
  };
}

export function authorityOf(claim: OwnedClaim | undefined): Authority {
  return claim ? claim.shard.lease.authority(claim.chain) : 'frozen';
}

const claimTtlMs = 86_400_000;

/** `epoch` 0: a newcomer; else the epoch that is asserted again. `deadBoot`: whom the newcomer knows to be gone. */
export async function sendClaim(
  shard: RedisShard,
  boot: string,
  claim: Claim & { epoch: number },
  deadBoot = '',
): Promise<ClaimAnswer> {
  const { clientId, conn, accountId, meta, epoch } = claim;
  const args = [boot, conn, epoch, deadBoot, accountId, meta, claimTtlMs];
  shard.gather();
  const [answer, ...rest] = await shard.run<string[]>(CLAIM, [keys.owner(clientId)], args);
  if (answer === 'mine') return { answer, epoch: Number(rest[0]) };
  const [ownerBoot = '', ownerConn = '', lease = ''] = rest;
  const incumbent = { boot: ownerBoot, conn: ownerConn, instanceId: lease.slice(lease.indexOf(' ') + 1) };
  return { answer: answer === 'held' ? 'held' : 'lapsed', incumbent };
}

export function sendRelease(
  shard: RedisShard,
  clientId: string,
  conn: string,
  movingMs = 0,
): Promise<unknown> {
  shard.gather();
  return shard.run(RELEASE, [keys.owner(clientId)], [conn, Math.round(movingMs)]);
}
