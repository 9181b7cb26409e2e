import type { Authority, Claim } from '../../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../../contend.ts';
import { keys } from '../keys.ts';
import { CLAIM, CONFIRM, OFFER, RELEASE } from '../scripts/claims.ts';
import type { RedisShard } from '../shard/shard.ts';

/** A claim of this instance on a client, as far as this instance knows. */
export interface OwnedClaim extends Claim {
  epoch: number;
  readonly shard: RedisShard;
  /** The term of authority in which Redis last confirmed the claim. A claim of an older term is frozen. */
  term: number;
  readonly claimedAt: number;
  /** Digest of the handover that is offered. Asserted again with the claim. */
  offered?: string;
}

/** The claims of this instance, shared by the parts of the directory. */
export interface Claims {
  /** By client id. */
  readonly owned: Map<string, OwnedClaim>;
  /** Conns whose CLAIM is in flight. Redis may know them before this instance does. */
  readonly claiming: Set<string>;
  /** Ends the claim here at once, so that no more frames are sent. In Redis it is repeated until Redis answers. */
  release(shard: RedisShard, clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** Offers the client to the newcomer that brings a handover of this digest. Repeated until Redis answers. */
  offer(clientId: string, conn: string, digest: string): Promise<void>;
  /** Ends the claim here alone, because another conn owns the client by now. */
  lose(clientId: string, conn: string): void;
  /** As `lose`, for all claims on a shard, which it returns. */
  loseAll(shard: RedisShard): OwnedClaim[];
  /** Repeats the releases and offers that Redis did not answer. To be called when Redis answers again. */
  flush(shard: RedisShard): void;
}

export function createClaims(): Claims {
  const owned = new Map<string, OwnedClaim>();
  const unreleased = new Map<string, { shard: RedisShard; clientId: string; movingMs: number }>();

  const unoffered = new Set<OwnedClaim>();

  const lose = (clientId: string, conn: string): void => {
    if (owned.get(clientId)?.conn === conn) owned.delete(clientId);
  };

  const release = async (shard: RedisShard, clientId: string, conn: string, movingMs = 0): Promise<void> => {
    lose(clientId, conn);
    try {
      await sendRelease(shard, clientId, conn, movingMs);
    } catch {
      unreleased.set(conn, { shard, clientId, movingMs });
    }
  };

  const sendOffer = async (claim: OwnedClaim): Promise<void> => {
    const { shard, clientId, conn, offered = '' } = claim;
    if (owned.get(clientId) !== claim) return;
    await shard.run(OFFER, [keys.owner(clientId)], [conn, offered]).catch(() => unoffered.add(claim));
  };

  return {
    owned,
    claiming: new Set(),
    release,
    lose,
    loseAll: (shard) => {
      const lost = [...owned.values()].filter((claim) => claim.shard === shard);
      for (const { clientId } of lost) owned.delete(clientId);
      return lost;
    },
    offer: async (clientId, conn, digest) => {
      const claim = owned.get(clientId);
      if (claim?.conn !== conn) return;
      claim.offered = digest;
      await sendOffer(claim);
    },
    flush: (shard) => {
      for (const claim of unoffered) {
        if (claim.shard !== shard) continue;
        unoffered.delete(claim);
        void sendOffer(claim);
      }
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
/** How long events of a socket may be on their way when its successor has claimed. */
const handoverMs = 5_000;

/** A claim as it is sent. The digests are of handovers. */
export interface SentClaim extends Claim {
  /** 0 for a new claim, else the epoch to assert again. */
  epoch: number;
  brought?: string;
  offered?: string;
}

/** `dead`: an incumbent without lease and hold. */
export async function sendClaim(
  shard: RedisShard,
  boot: string,
  claim: SentClaim,
  dead?: Incumbent,
): Promise<ClaimAnswer> {
  const { clientId, conn, accountId, meta, epoch, brought = '', offered = '' } = claim;
  const deadClaim = dead ? `${dead.boot} ${dead.confirmed}` : '';
  const args = [boot, conn, epoch, deadClaim, accountId, meta, claimTtlMs, brought, offered, handoverMs];
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
  return shard.run(RELEASE, [keys.owner(clientId)], [conn, Math.round(movingMs)]);
}

/** Confirms claims of one shard in one script. Answers those that Redis has otherwise: `sendClaim` must assert them. */
export async function confirmClaims(shard: RedisShard, claims: readonly OwnedClaim[]): Promise<OwnedClaim[]> {
  const names = claims.map(({ clientId }) => keys.owner(clientId));
  const args = claims.flatMap(({ conn, epoch, offered = '' }) => [conn, epoch, offered]);
  const others = new Set(await shard.run<number[]>(CONFIRM, names, [claimTtlMs, ...args]));
  return claims.filter((_claim, index) => others.has(index + 1));
}
