import type { Authority, Claim } from '../../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../../contend.ts';
import { keys } from '../keys.ts';
import { CLAIM, RELEASE } from '../scripts/claims.ts';
import type { RedisShard } from '../shard/shard.ts';

/** A claim of this instance on a client, as far as this instance knows. */
export interface OwnedClaim extends Claim {
  epoch: number;
  readonly shard: RedisShard;
  /** The term of authority in which Redis last confirmed the claim. A claim of an older term is frozen. */
  term: number;
  readonly claimedAt: number;
}

/** The claims of this instance, shared by the parts of the directory. */
export interface Claims {
  /** By client id. */
  readonly owned: Map<string, OwnedClaim>;
  /** Conns whose CLAIM is in flight. Redis may know them before this instance does. */
  readonly claiming: Set<string>;
  /** Ends the claim here at once, so that no more frames are sent. In Redis it is repeated until Redis answers. */
  release(shard: RedisShard, clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** Repeats the releases that Redis did not answer. To be called when Redis answers again. */
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
  return claim ? claim.shard.lease.authority(claim.term) : 'frozen';
}

const claimTtlMs = 86_400_000;

/** `epoch` is 0 for a new claim, else the epoch to assert again. `dead`: an incumbent without lease and hold. */
export async function sendClaim(
  shard: RedisShard,
  boot: string,
  claim: Claim & { epoch: number },
  dead?: Incumbent,
): Promise<ClaimAnswer> {
  const { clientId, conn, accountId, meta, epoch } = claim;
  const deadClaim = dead ? `${dead.boot} ${dead.confirmed}` : '';
  const args = [boot, conn, epoch, deadClaim, accountId, meta, claimTtlMs];
  shard.cork();
  const [answer, ...rest] = await shard.run<string[]>(CLAIM, [keys.owner(clientId)], args);
  if (answer === 'mine') return { answer, epoch: Number(rest[0]) };
  const [ownerBoot = '', ownerConn = '', confirmed = '', lease = ''] = rest;
  const instanceId = lease.slice(lease.indexOf(' ') + 1);
  const incumbent = { boot: ownerBoot, conn: ownerConn, instanceId, confirmed };
  return { answer: answer === 'held' ? 'held' : 'lapsed', incumbent };
}

export function sendRelease(
  shard: RedisShard,
  clientId: string,
  conn: string,
  movingMs = 0,
): Promise<unknown> {
  shard.cork();
  return shard.run(RELEASE, [keys.owner(clientId)], [conn, Math.round(movingMs)]);
}
