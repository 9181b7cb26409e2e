import type { Claim, ClaimOutcome, Directory, HoldStore, Presence } from '../../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../../contend.ts';
import { contend } from '../../contend.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { digestOf } from '../../handover.ts';
import { keys } from '../keys.ts';
import { FIND } from '../scripts/claims.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { ClaimCheck } from './claim-check.ts';
import type { Claims } from './claims.ts';
import { authorityOf, sendClaim } from './claims.ts';
import type { ProbeAnswer, Probes } from './probes.ts';

export interface DirectoryOptions {
  boot: string;
  claims: Claims;
  shards: readonly RedisShard[];
  shardOf: (clientId: string) => RedisShard;
  holds: HoldStore;
  claimCheck: ClaimCheck;
  probes: Probes;
  times: ClusterTimes;
}

/** Claims in Redis. Each is on the shard of its client. */
export function createRedisDirectory(options: DirectoryOptions): Directory {
  const { claims, shardOf, shards } = options;
  return {
    claim: (claim, handover) => claimClient(claim, handover && digestOf(handover), options),
    offer: (clientId, conn, handover) => claims.offer(clientId, conn, digestOf(handover)),
    release: (clientId, conn, movingMs) => claims.release(shardOf(clientId), clientId, conn, movingMs),
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
async function claimClient(
  claim: Claim,
  brought: string | undefined,
  options: DirectoryOptions,
): Promise<ClaimOutcome> {
  const { boot, claims, holds, times } = options;
  const shard = options.shardOf(claim.clientId);
  // At once, so that the newcomers of other shards do not wait behind those of a silent one.
  if (!shard.isAnswering()) return { outcome: 'unavailable', cause: `${shard.name} does not answer` };
  const lateAt = performance.now() + times.claimMs;
  const take = async (dead?: Incumbent): Promise<ClaimAnswer> => {
    const term = shard.lease.term();
    const claimedAt = performance.now();
    const sent = { ...claim, epoch: 0, ...(brought && { brought }) };
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
    });
  } catch (cause) {
    // A CLAIM without an answer may have been executed. Then a handover has ended the old owner's claim, and its client
    // comes back at once.
    const movingMs = brought ? triesAgainMs : 0;
    if (!(cause instanceof ClusterUnavailable))
      void claims.release(shard, claim.clientId, claim.conn, movingMs);
    return { outcome: 'unavailable', cause: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    claims.claiming.delete(claim.conn);
  }
}

function probe(
  shard: RedisShard,
  clientId: string,
  incumbent: Incumbent,
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
    for (const [index, clientId] of batch.entries()) {
      const [accountId, meta, moving] = rows[index] ?? [];
      if (accountId === undefined || meta === undefined) continue;
      found.push({ clientId, accountId, meta, moving: moving === '1' });
    }
  }
  return found;
}
