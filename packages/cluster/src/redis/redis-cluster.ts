import type { Cluster, ClusterHealth, HoldStore, Instance, ReadingStore } from '../cluster.ts';
import { ClusterUnavailable } from '../failures.ts';
import { newBoot } from '../ids.ts';
import type { ClusterLog } from '../log.ts';
import { silentLog } from '../log.ts';
import { readAnswer, readMessage } from '../message.ts';
import type { BulkBounds } from './bulk-bounds.ts';
import { defaultBulkBounds } from './bulk-bounds.ts';
import { createAnswerOutbox } from './calls/answer-outbox.ts';
import { createOutgoingReplies } from './calls/outgoing-replies.ts';
import { createOwner } from './calls/owner.ts';
import { Asker } from './calls/asker.ts';
import { createClaimCheck, createClaims, createProbes, createRedisDirectory } from './claims/claims.ts';
import type { Claims } from './claims/claims.ts';
import { createHolds } from './claims/holds.ts';
import { createRedisStandbys } from './claims/standbys.ts';
import { createReassert } from './claims/reassert.ts';
import type { Connect } from './connection.ts';
import { createConnect, createLines } from './connection.ts';
import { defaultReservationBounds } from '../reservations.ts';
import type { ReservationBounds } from '../reservations.ts';
import type { StreamBounds } from '../streams/streams.ts';
import { createRedisBroadcast } from './redis-broadcast.ts';
import { createRedisReservations } from './redis-reservations.ts';
import { createRedisSeats } from './redis-seats.ts';
import { createRedisTickets } from './redis-tickets.ts';
import { shardListFingerprint } from './shard/lease.ts';
import type { RedisShard, ShardEvents } from './shard/shard.ts';
import { createShard } from './shard/shard.ts';
import { shardIndex } from './keys.ts';
import { createRedisStreams } from './streams/redis-streams.ts';
import type { ClusterTimes } from './times.ts';
import { defaultTimes } from './times.ts';
import type { Traffic } from './traffic.ts';
import { countMessage, createTraffic } from './traffic.ts';

export interface RedisClusterOptions {
  instanceId: string;
  /** `newBoot`, where the name was taken by it. */
  boot?: string;
  /** Redis URLs. Every instance needs the same list in the same order, or it gets no lease. */
  shards: readonly string[];
  holds: HoldStore;
  /** Where instances compare their Redis. Without it this one compares with nobody. */
  readings?: ReadingStore;
  log?: ClusterLog;
  times?: Partial<ClusterTimes>;
  bounds?: Partial<BulkBounds>;
  streams?: Partial<StreamBounds>;
  reservations?: ReservationBounds;
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
  const { boot = newBoot() } = options;
  const fingerprint = shardListFingerprint(options.shards);
  let started: Instance | undefined;
  const instance = (): Instance => {
    if (!started) throw new Error('the cluster has not been started');
    return started;
  };

  const shared = { boot, instanceId, fingerprint, bounds, readings, connect, times, log };
  const shards = options.shards.map((url, index, { length: count }) =>
    createShard({ ...shared, url, index, count }),
  );
  const [home] = shards;
  if (!home) throw new Error('a cluster needs at least one Redis');
  const shardOf = (clientId: string): RedisShard => shards[shardIndex(clientId, shards.length)] ?? home;

  const claims = createClaims();
  const claimCheck = createClaimCheck({ boot, claims, shardOf, instance });
  const ownHolds = createHolds({ boot, holds, times, log });
  const probes = createProbes(boot, times);
  const broadcast = createRedisBroadcast(home, traffic);
  const asker = new Asker({ boot, shards, shardOf, times, bounds, traffic });
  const directory = createRedisDirectory({ boot, claims, shards, shardOf, holds, claimCheck, probes, times });
  const standbys = createRedisStandbys({
    boot, claims, shards, shardOf, holds, claimCheck, probes, times, instance,
  }); // prettier-ignore
  const streams = createRedisStreams({ ...options, boot, connect, times });
  const seats = createRedisSeats(shardOf);
  const ways = new Map(
    shards.map((shard) => {
      const outbox = createAnswerOutbox(shard, times, traffic);
      return [
        shard,
        { outbox, outgoing: createOutgoingReplies({ boot, bulk: shard.bulk, outbox, bounds, traffic }) },
      ];
    }),
  );
  const owner = createOwner({
    ways,
    claims,
    claimCheck,
    standbys,
    instance,
    onListeners: streams.onListeners,
    traffic,
  });
  const reassert = createReassert({ boot, claims, instance, times, log });

  const eventsOf = (shard: RedisShard): ShardEvents => ({
    onCommandMessage: (message) => owner.onMessage(shard, message),
    onReply: (message) => {
      countMessage(traffic.received.answer, message.length);
      const read = readAnswer(message);
      if (!read) return;
      asker.onAnswer(shard, read.callId, read.answer);
      probes.onAnswer(read.callId, read.answer);
    },
    onChunk: (message) => {
      countMessage(traffic.received.chunk, message.length);
      const chunk = readMessage(message);
      if (chunk?.kind === 'chunk') asker.onChunk(shard, chunk);
    },
    onBulkLost: () => asker.onBulkLost(shard),
    onBroadcast: (message) => {
      countMessage(traffic.received.broadcast, message.length);
      broadcast.onMessage(message);
    },
    onRenewed: (mustReassert) => {
      claims.flush(shard);
      owner.flush(shard);
      reassert(shard, mustReassert);
    },
    onSilence: () => ownHolds.extend(shards),
    onForeign: () => {
      void ownHolds.end(shard);
      for (const { clientId, conn } of claims.loseAll(shard)) {
        log.warn({ clientId }, 'a world is sent away, because this instance has come to another Redis');
        instance().evict(conn, 'foreign');
      }
    },
    onReturn: () => redial(options.shards[shard.index] ?? ''),
  });
  for (const shard of shards) {
    shard.listener.onGap(() => asker.onGap(shard));
    shard.listener.onGap(() => streams.onGap(shard.index));
  }

  return {
    boot,
    instanceId,
    directory,
    standbys,
    bus: asker,
    broadcast,
    streams: streams.streams,
    seats,
    tickets: createRedisTickets(home),
    reservations: createRedisReservations(shardOf, options.reservations ?? defaultReservationBounds),
    start: (own) => {
      started = own;
      streams.start();
      seats.start();
      standbys.start();
      return startAll(shards, eventsOf, times);
    },
    stop: async () => {
      standbys.stop();
      await Promise.all([releaseAll(claims, times.stopMs, log), owner.finish(times.repliesStopMs)]);
      await streams.stop(times.stopMs);
      seats.stop();
      owner.stop();
      asker.stop();
      await Promise.all(shards.map((shard) => shard.stop()));
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

async function startAll(
  shards: readonly RedisShard[],
  eventsOf: (shard: RedisShard) => ShardEvents,
  { startMs, agreeMs }: ClusterTimes,
): Promise<void> {
  const waiting = new Set(shards);
  const begunAt = performance.now();
  const isAgreeing = (): boolean => [...waiting].every(({ identity }) => identity.isWaiting());
  const late = within(
    startMs,
    () => tellOf(waiting, performance.now() - begunAt),
    () => (isAgreeing() ? agreeMs - startMs : 0),
  );
  const start = async (shard: RedisShard): Promise<void> => {
    await shard.start(eventsOf(shard));
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
