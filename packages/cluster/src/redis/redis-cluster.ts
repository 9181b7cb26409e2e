import type { Cluster, ClusterHealth, HoldStore, Instance, ReadingStore } from '../cluster.ts';
import { ClusterUnavailable } from '../failures.ts';
import { newBoot } from '../ids.ts';
import type { ClusterLog } from '../log.ts';
import { silentLog } from '../log.ts';
import type { BulkBounds } from './bulk/bulk-bounds.ts';
import { defaultBulkBounds } from './bulk/bulk-bounds.ts';
import { createDelivery } from './calls/delivery.ts';
import { createRedisBus } from './calls/redis-bus.ts';
import { createClaimCheck } from './claims/claim-check.ts';
import type { Claims } from './claims/claims.ts';
import { createClaims } from './claims/claims.ts';
import { createHolds } from './claims/holds.ts';
import { createProbes } from './claims/probes.ts';
import { createReassert } from './claims/reassert.ts';
import { createRedisDirectory } from './claims/redis-directory.ts';
import type { ConnectedShard, ShardConsumers } from './connect-shard.ts';
import { connectShard } from './connect-shard.ts';
import type { Connect } from './connection.ts';
import { createConnect } from './connection.ts';
import { createLines } from './lines.ts';
import type { StreamBounds } from '../streams/streams.ts';
import { createRedisBroadcast } from './redis-broadcast.ts';
import { createRedisSeats } from './redis-seats.ts';
import { createRedisTickets } from './redis-tickets.ts';
import { shardListFingerprint } from './shard/lease.ts';
import type { RedisShard } from './shard/shard.ts';
import { shardIndex } from './shard/shard-index.ts';
import { createRedisStreams } from './streams/redis-streams.ts';
import type { ClusterTimes } from './times.ts';
import { defaultTimes } from './times.ts';
import type { Traffic } from './traffic.ts';
import { createTraffic } from './traffic.ts';

export interface RedisClusterOptions {
  instanceId: string;
  /** Redis URLs. Every instance needs the same list in the same order, or it gets no lease. */
  shards: readonly string[];
  holds: HoldStore;
  /** Where instances compare their Redis. Without it this one compares with nobody. */
  readings?: ReadingStore;
  log?: ClusterLog;
  times?: Partial<ClusterTimes>;
  bounds?: Partial<BulkBounds>;
  streams?: Partial<StreamBounds>;
  connect?: Connect;
  /** Counts what this instance sends and hears. */
  traffic?: Traffic;
  /** Answers the current URL of a shard. Each dial takes user and password from it, so that they can be rotated. */
  reread?: (url: string) => string;
}

/** Instances that find and call each other over one Redis, or over several among which the clients are divided. */
// oxlint-disable-next-line max-lines-per-function -- It is the list of the parts of a cluster, from top to bottom.
export function createRedisCluster(options: RedisClusterOptions): Cluster {
  const { instanceId, holds, readings = nobody, log = silentLog, traffic = createTraffic() } = options;
  const { connect, redial } = createLines(options.connect ?? createConnect(options.reread));
  const times = { ...defaultTimes, ...options.times };
  const bounds = { ...defaultBulkBounds, ...options.bounds };
  const boot = newBoot();
  const fingerprint = shardListFingerprint(options.shards);
  let started: Instance | undefined;
  const instance = (): Instance => {
    if (!started) throw new Error('the cluster has not been started');
    return started;
  };

  const connected = options.shards.map((url, index, { length: count }) =>
    connectShard(
      { url, boot, instanceId, fingerprint, index, count, bounds, readings, connect, times, log, traffic },
      () => consumers,
    ),
  );
  const shards = connected.map(({ shard }) => shard);
  const [home] = shards;
  if (!home) throw new Error('a cluster needs at least one Redis');
  const shardOf = (clientId: string): RedisShard => shards[shardIndex(clientId, shards.length)] ?? home;

  const claims = createClaims();
  const claimCheck = createClaimCheck({ boot, claims, shardOf, instance });
  const ownHolds = createHolds({ boot, holds, times, log });
  const probes = createProbes(boot, times);
  const broadcast = createRedisBroadcast(home, traffic);
  const bus = createRedisBus({ boot, shards, shardOf, times, bounds, traffic });
  const directory = createRedisDirectory({ boot, claims, shards, shardOf, holds, claimCheck, probes, times });
  const streams = createRedisStreams({ ...options, boot, connect, times });
  for (const [index, { listener }] of shards.entries()) listener.onGap(() => streams.onGap(index));
  const seats = createRedisSeats(shardOf);
  const consumers: ShardConsumers = {
    claims,
    delivery: createDelivery({
      claims,
      claimCheck,
      instance,
      onListeners: streams.onListeners,
      traffic,
    }),
    bus,
    probes,
    broadcast,
    reassert: createReassert({ boot, claims, instance, times, log }),
    onSilence: () => ownHolds.extend(shards),
    onForeign: (shard) => {
      void ownHolds.end(shard);
      for (const { clientId, conn } of claims.loseAll(shard)) {
        log.warn({ clientId }, 'a world is sent away, because this instance has come to another Redis');
        instance().evict(conn, 'foreign');
      }
    },
    onReturn: ({ index }) => redial(options.shards[index] ?? ''),
  };

  return {
    boot,
    instanceId,
    directory,
    bus,
    broadcast,
    streams: streams.streams,
    seats,
    tickets: createRedisTickets(home),
    start: (own) => {
      started = own;
      streams.start();
      seats.start();
      return startAll(shards, times);
    },
    stop: async () => {
      await Promise.all([releaseAll(claims, times.stopMs, log), finishReplies(connected, times)]);
      await streams.stop(times.stopMs);
      seats.stop();
      consumers.delivery.stop();
      bus.stop();
      await Promise.all(connected.map(disconnect));
    },
    health: () => healthOf(shards),
    readings: () =>
      Object.fromEntries(
        shards.flatMap(({ index, identity }) => {
          const reading = identity.reading();
          return reading ? [[index, reading]] : [];
        }),
      ),
  };
}

const nobody: ReadingStore = {
  tell: (_of, decide) => {
    decide([]);
    return Promise.resolve();
  },
};

async function startAll(shards: readonly RedisShard[], { startMs, agreeMs }: ClusterTimes): Promise<void> {
  const waiting = new Set(shards);
  const begunAt = performance.now();
  const isAgreeing = (): boolean => [...waiting].every(({ identity }) => identity.isWaiting());
  const late = within(
    startMs,
    () => tellOf(waiting, performance.now() - begunAt),
    () => (isAgreeing() ? agreeMs - startMs : 0),
  );
  const start = async (shard: RedisShard): Promise<void> => {
    await shard.start();
    waiting.delete(shard);
  };
  try {
    await Promise.race([Promise.all(shards.map(start)), late.failure]);
  } catch (cause) {
    await Promise.all(shards.map((shard) => shard.stop()));
    throw cause;
  } finally {
    late.cancel();
  }
}

function tellOf(waiting: ReadonlySet<RedisShard>, ms: number): string {
  const reasons = [...waiting].map((shard) => `${shard.name} (${shard.trouble() ?? 'no answer'})`);
  return `not usable within ${Math.round(ms / 1_000)} s: ${reasons.join(', ')}`;
}

async function releaseAll(claims: Claims, stopMs: number, log: ClusterLog): Promise<void> {
  const late = within(stopMs, () => 'Redis did not confirm the release of the claims in time');
  const released = [...claims.owned.values()].map(({ shard, clientId, conn }) =>
    claims.release(shard, clientId, conn),
  );
  await Promise.race([Promise.all(released), late.failure]).catch((cause: unknown) => {
    log.warn({ err: cause }, 'the remaining claims end with their lease');
  });
  late.cancel();
}

/** Askers hear chunks and the end of the lease on two connections, and must have read the last chunk first. */
const lastChunkMs = 200;

/** The commands of these replies have run, so their callers should learn of it. */
async function finishReplies(
  connected: readonly ConnectedShard[],
  { repliesStopMs }: ClusterTimes,
): Promise<void> {
  if (connected.every(({ outgoing }) => outgoing.isEmpty())) return;
  const late = within(repliesStopMs, () => 'the remaining replies are lost');
  const sent = Promise.all(connected.map(({ outgoing }) => outgoing.whenEmpty()));
  await Promise.race([sent, late.failure]).catch(() => {});
  late.cancel();
  await new Promise((resolve) => setTimeout(resolve, lastChunkMs));
}

function disconnect({ shard, outbox, outgoing }: ConnectedShard): Promise<void> {
  outbox.stop();
  outgoing.stop();
  return shard.stop();
}

function healthOf(shards: readonly RedisShard[]): ClusterHealth {
  const foreign = shards.find(({ identity }) => identity.isForeign());
  if (foreign) return { state: 'foreign', detail: `${foreign.name} is ${foreign.trouble()}` };
  const deaf = shards.find((shard) => shard.isAnswering() && !shard.listener.isListening());
  if (deaf) return { state: 'deaf', detail: `the subscription on ${deaf.name} is lost` };
  const silent = shards.find((shard) => !shard.isAnswering());
  if (silent) return { state: 'degraded', detail: `${silent.name} does not answer` };
  return { state: 'up' };
}

/** `moreMs`: asked when the time is over, for how much longer to wait. */
function within(
  ms: number,
  message: () => string,
  moreMs = (): number => 0,
): { failure: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (): void => reject(new ClusterUnavailable(message()));
  let timer = setTimeout(() => {
    const more = moreMs();
    if (more > 0) timer = setTimeout(fail, more);
    else fail();
  }, ms);
  return { failure: promise, cancel: () => clearTimeout(timer) };
}
