import type { Instance } from '../../cluster.ts';
import type { ClusterLog } from '../../log.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { Claims, OwnedClaim } from './claims.ts';
import { confirmClaims, sendClaim } from './claims.ts';

export interface ReassertOptions {
  boot: string;
  claims: Claims;
  instance: () => Instance;
  times: ClusterTimes;
  log: ClusterLog;
}

const batchSize = 500;
/** Between batches, so that other instances' calls are not kept waiting by one that owns many clients. */
const pauseMs = 100;

/**
 * Asserts the claims of this instance on a shard again: immediately with `atOnce`, else every `reassertMs`. When another
 * instance owns a client by then, the claim is dropped and its socket evicted. To be called after each answered renewal.
 */
export function createReassert(options: ReassertOptions): (shard: RedisShard, atOnce: boolean) => void {
  const rounds = new Map<RedisShard, { running: boolean; due: boolean; doneAt: number }>();

  return (shard, atOnce) => {
    const round = rounds.get(shard) ?? { running: false, due: false, doneAt: performance.now() };
    rounds.set(shard, round);
    round.due ||= atOnce || performance.now() - round.doneAt > options.times.reassertMs;
    if (round.running || !round.due) return;
    round.running = true;
    round.due = false;
    assertAll(shard, options, () => round.due)
      .then(() => (round.doneAt = performance.now()))
      .catch(() => (round.due = true))
      .finally(() => (round.running = false));
  };
}

async function assertAll(
  shard: RedisShard,
  options: ReassertOptions,
  isUrgent: () => boolean,
): Promise<void> {
  const { claims, instance, times } = options;
  const open = new Set(Array.from(instance().claims(), ({ conn }) => conn));
  const settledBefore = performance.now() - times.reassertMs;
  const mine = [...claims.owned.values()].filter((claim) => claim.shard === shard);
  // The socket of a young claim may not be registered yet.
  const hasSocket = ({ conn, claimedAt }: OwnedClaim): boolean => open.has(conn) || claimedAt > settledBefore;
  for (let at = 0; at < mine.length; at += batchSize) {
    if (at > 0 && !isUrgent()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const batch = mine
      .slice(at, at + batchSize)
      .filter((claim) => claims.owned.get(claim.clientId) === claim);
    await Promise.all([
      assertBatch(shard, batch.filter(hasSocket), options),
      ...batch
        .filter((claim) => !hasSocket(claim))
        .map((claim) => claims.release(shard, claim.clientId, claim.conn)),
    ]);
  }
}

/** Most claims are in Redis as they should be: after a fail-over or a long pause some are not. */
async function assertBatch(
  shard: RedisShard,
  batch: readonly OwnedClaim[],
  options: ReassertOptions,
): Promise<void> {
  if (batch.length === 0) return;
  const term = shard.lease.term();
  const others = await confirmClaims(shard, batch);
  const unconfirmed = new Set(others);
  for (const claim of batch) if (!unconfirmed.has(claim)) claim.term = term;
  await Promise.all(others.map((claim) => assertAgain(claim, options)));
}

async function assertAgain(mine: OwnedClaim, options: ReassertOptions): Promise<void> {
  const { boot, claims, instance, log } = options;
  const { clientId, conn, shard } = mine;
  const isStillMine = (): boolean => claims.owned.get(clientId) === mine;
  if (!isStillMine()) return;
  const term = shard.lease.term();
  const answer = await sendClaim(shard, boot, mine);
  if (answer.answer === 'mine') {
    mine.epoch = answer.epoch;
    mine.term = term;
    // It was released while the answer was in flight, and a claim must not outlive its socket.
    if (!isStillMine()) await claims.release(shard, clientId, conn);
  } else if (isStillMine()) {
    claims.owned.delete(clientId);
    log.warn({ clientId, owner: answer.incumbent.instanceId }, 'another instance owns this client now');
    instance().evict(conn, 'superseded');
  }
}
