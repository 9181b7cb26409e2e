import type {
  Authority,
  Claim,
  ClaimOutcome,
  Directory,
  HoldStore,
  Instance,
  Presence,
} from '../../cluster.ts';
import { contend } from '../../contend.ts';
import type { ClaimAnswer, Incumbent } from '../../contend.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { digestOf } from '../../handover.ts';
import { writeMessage } from '../../message.ts';
import type { Answer } from '../../message.ts';
import { keys } from '../keys.ts';
import { CLAIM, CONFIRM, FIND, OFFER, RELEASE } from '../scripts/claims.ts';
import type { RedisShard } from '../shard/shard.ts';
import { expected } from '../../standbys.ts';
import type { Going } from '../../standbys.ts';
import type { ClusterTimes } from '../times.ts';

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
  release(shard: RedisShard, clientId: string, conn: string, going?: Going): Promise<void>;
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
  const unreleased = new Map<string, { shard: RedisShard; clientId: string; going: Going | undefined }>();

  const unoffered = new Set<OwnedClaim>();

  const lose = (clientId: string, conn: string): void => {
    if (owned.get(clientId)?.conn === conn) owned.delete(clientId);
  };

  const release: Claims['release'] = async (shard, clientId, conn, going) => {
    lose(clientId, conn);
    try {
      await sendRelease(shard, clientId, conn, going);
    } catch {
      unreleased.set(conn, { shard, clientId, going });
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
        void release(shard, one.clientId, conn, one.going);
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
  isStandby?: boolean;
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
  if (claim.isStandby) args.push('1');
  const [answer, ...rest] = await shard.run<string[]>(CLAIM, [keys.owner(clientId)], args);
  if (answer === 'mine') return { answer, epoch: Number(rest[0]) };
  const [ownerBoot = '', ownerConn = '', confirmed = '', lease = ''] = rest;
  const instanceId = lease.slice(lease.indexOf(' ') + 1);
  const incumbent = { boot: ownerBoot, conn: ownerConn, instanceId, confirmed };
  return { answer: answer === 'held' ? 'held' : 'lapsed', incumbent };
}

function sendRelease(
  shard: RedisShard,
  clientId: string,
  conn: string,
  { movingMs, standbyMs, left }: Going = expected(0),
): Promise<unknown> {
  const args = [conn, Math.round(movingMs), Math.round(standbyMs), left];
  return shard.run(RELEASE, [keys.owner(clientId), keys.waiting(clientId)], args);
}

/** Confirms claims of one shard in one script. Answers those that Redis has otherwise: `sendClaim` must assert them. */
export async function confirmClaims(shard: RedisShard, claims: readonly OwnedClaim[]): Promise<OwnedClaim[]> {
  const names = claims.map(({ clientId }) => keys.owner(clientId));
  const args = claims.flatMap(({ conn, epoch, offered = '' }) => [conn, epoch, offered]);
  const others = new Set(await shard.run<number[]>(CONFIRM, names, [claimTtlMs, ...args]));
  return claims.filter((_claim, index) => others.has(index + 1));
}

/** Checks claims of this instance that another instance doubts. */
export interface ClaimCheck {
  /**
   * Tells whether the conn that Redis names as owner is alive. One that does not answer, or is unknown here, is fenced
   * and its claim released before the result. Rejects while Redis is unavailable. Probes each conn once at a time.
   */
  check(clientId: string, conn: string): Promise<'alive' | 'gone'>;
  /** To be called on a command for a client that this instance does not own: releases a claim without a socket. */
  releaseStale(clientId: string): void;
}

export interface ClaimCheckOptions {
  boot: string;
  claims: Claims;
  shardOf: (clientId: string) => RedisShard;
  instance: () => Instance;
}

const staleMovingMs = 5_000;

export function createClaimCheck({ boot, claims, shardOf, instance }: ClaimCheckOptions): ClaimCheck {
  const { owned, claiming } = claims;
  const checks = new Map<string, Promise<'alive' | 'gone'>>();
  const releasing = new Set<string>();

  const examine = async (clientId: string, conn: string): Promise<'alive' | 'gone'> => {
    const isOnItsWay = claiming.has(conn) || instance().isArriving(conn);
    if (isOnItsWay || (await instance().probe(conn))) return 'alive';
    claims.lose(clientId, conn);
    instance().evict(conn, 'silent');
    await sendRelease(shardOf(clientId), clientId, conn);
    return 'gone';
  };

  const release = async (clientId: string): Promise<void> => {
    const shard = shardOf(clientId);
    const fields = [keys.owner(clientId), 'boot', 'conn'];
    const [owner, conn] = await shard.send<(string | null)[]>('hmget', fields);
    if (owner !== boot || !conn || claiming.has(conn) || owned.get(clientId)?.conn === conn) return;
    // The claim only becomes moving, because after a failover the true owner may be about to assert its own.
    await sendRelease(shard, clientId, conn, expected(staleMovingMs));
  };

  return {
    check: (clientId, conn) => {
      const running = checks.get(conn);
      if (running) return running;
      const result = examine(clientId, conn).finally(() => checks.delete(conn));
      checks.set(conn, result);
      return result;
    },
    releaseStale: (clientId) => {
      if (releasing.has(clientId)) return;
      releasing.add(clientId);
      release(clientId)
        .catch(() => {})
        .finally(() => releasing.delete(clientId));
    },
  };
}

export interface DirectoryOptions {
  boot: string;
  claims: Claims;
  shards: readonly RedisShard[];
  shardOf: (clientId: string) => RedisShard;
  holds: HoldStore;
  claimCheck: Pick<ClaimCheck, 'check'>;
  probes: Probes;
  times: ClusterTimes;
}

/** Claims in Redis. Each is on the shard of its client. */
export function createRedisDirectory(options: DirectoryOptions): Directory {
  const { claims, shardOf, shards } = options;
  return {
    claim: (claim, handover) => claimClient(claim, options, handover && { brought: digestOf(handover) }),
    offer: (clientId, conn, handover) => claims.offer(clientId, conn, digestOf(handover)),
    release: (clientId, conn, movingMs = 0) =>
      claims.release(shardOf(clientId), clientId, conn, expected(movingMs)),
    authority: (clientId) => authorityOf(claims.owned.get(clientId)),
    owns: (clientId, conn) => claims.owned.get(clientId)?.conn === conn,
    find: async (clientIds) => {
      const parts = await Promise.all(
        shards.map((shard) =>
          findOn(
            shard,
            clientIds.filter((clientId) => shardOf(clientId) === shard),
          ),
        ),
      );
      return new Map(parts.flat().map((presence) => [presence.clientId, presence]));
    },
  };
}

/** `brought`: the digest of the newcomer's handover. */
export async function claimClient(
  claim: Claim,
  options: DirectoryOptions,
  how: Pick<SentClaim, 'brought' | 'isStandby'> | '' | undefined,
): Promise<ClaimOutcome> {
  const { boot, claims, holds, times } = options;
  const shard = options.shardOf(claim.clientId);
  // At once, so that the newcomers of other shards do not wait behind those of a silent one.
  if (!shard.isAnswering()) return { outcome: 'unavailable', cause: `${shard.name} does not answer` };
  const lateAt = performance.now() + times.claimMs;
  const take = async (dead?: Incumbent): Promise<ClaimAnswer> => {
    const term = shard.lease.term();
    const claimedAt = performance.now();
    const sent = { ...claim, epoch: 0, ...how };
    const answer = await sendClaim(shard, boot, sent, dead);
    if (answer.answer === 'mine') {
      if (shard.lease.term() !== term) throw new Error('the authority lapsed while the claim was made');
      claims.owned.set(claim.clientId, { ...claim, epoch: answer.epoch, shard, term, claimedAt });
    }
    // Its lease ended while its machine stood still, but this instance lives, so its own socket is asked.
    if (answer.answer === 'lapsed' && answer.incumbent.boot === boot) return { ...answer, answer: 'held' };
    return answer;
  };
  claims.claiming.add(claim.conn);
  try {
    return await contend({
      claim: take,
      probe: (incumbent) => probe(shard, claim.clientId, incumbent, options),
      isHeld: (other) => holds.isHeld(other, shard.index),
      pause: () => new Promise((resolve) => setTimeout(resolve, times.claimPauseMs)),
      hasExpired: () => performance.now() > lateAt,
      isPatient: Boolean(how && how.isStandby),
    });
  } catch (cause) {
    // A CLAIM without an answer may have been executed. Then a handover has ended the old owner's claim, and its client
    // comes back at once.
    const movingMs = how && how.brought ? triesAgainMs : 0;
    if (!(cause instanceof ClusterUnavailable))
      void claims.release(shard, claim.clientId, claim.conn, expected(movingMs));
    return { outcome: 'unavailable', cause: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    claims.claiming.delete(claim.conn);
  }
}

/** Asks the instance of a conn, be it this one, whether that is alive. */
export function probe(
  shard: RedisShard,
  clientId: string,
  incumbent: Pick<Incumbent, 'boot' | 'conn'>,
  { boot, claimCheck, probes }: DirectoryOptions,
): Promise<ProbeAnswer> {
  if (incumbent.boot === boot) return claimCheck.check(clientId, incumbent.conn);
  return probes.ask(shard, clientId, incumbent);
}

/** How long the calls to a client are 503, not 404, whose handover failed. */
const triesAgainMs = 5_000;
const findBatch = 500;

async function findOn(shard: RedisShard, clientIds: readonly string[]): Promise<Presence[]> {
  const found: Presence[] = [];
  for (let at = 0; at < clientIds.length; at += findBatch) {
    const batch = clientIds.slice(at, at + findBatch);
    const rows = await shard.run<string[][]>(FIND, batch.map(keys.owner), []).catch((cause: unknown) => {
      throw new ClusterUnavailable('Redis did not say who is online', { cause });
    });
    if (rows.length > batch.length)
      throw new ClusterUnavailable('Redis was emptied, and instances make their claims again');
    for (const [index, clientId] of batch.entries()) {
      const [accountId, meta, moving] = rows[index] ?? [];
      if (accountId === undefined || meta === undefined) continue;
      found.push({ clientId, accountId, meta, moving: moving === '1' });
    }
  }
  return found;
}

export type ProbeAnswer = 'alive' | 'gone' | 'no_answer';

export interface Probes {
  /** Asks the incumbent's instance whether the incumbent is alive, or to yield. Rejects when that could not be sent. */
  ask(
    shard: RedisShard,
    clientId: string,
    incumbent: Pick<Incumbent, 'boot' | 'conn'>,
    kind?: 'probe' | 'yield',
  ): Promise<ProbeAnswer>;
  onAnswer(callId: number, answer: Answer): void;
}

/** A probe is lent a reply channel as a call is. */
export function createProbes(boot: string, times: ClusterTimes): Probes {
  const waiting = new Map<number, (answer: ProbeAnswer) => void>();
  return {
    ask: async (shard, clientId, incumbent, kind = 'probe') => {
      const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
      let callId = 0;
      let isOver = false;
      const timer = setTimeout(() => resolve('no_answer'), times.probeAnswerMs);
      shard.replySlots.lend((id) => {
        if (isOver) return false;
        callId = id;
        waiting.set(id, resolve);
        const message = writeMessage(kind, { asker: boot, callId: id, clientId, conn: incumbent.conn });
        shard.send('publish', [keys.commands(incumbent.boot), message]).catch(reject);
        return true;
      });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        isOver = true;
        if (waiting.delete(callId)) shard.replySlots.giveBack(callId);
      }
    },
    onAnswer: (callId, answer) => {
      if (answer.kind === 'alive' || answer.kind === 'gone') waiting.get(callId)?.(answer.kind);
    },
  };
}
