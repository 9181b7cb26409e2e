import { readAnswer } from './wire/answers.ts';
import type { Cluster, ClusterHealth, HoldStore, Instance } from '../cluster.ts';
import { ClusterUnavailable } from '../failures.ts';
import { newBoot } from '../ids.ts';
import type { ClusterLog } from '../log.ts';
import { silentLog } from '../log.ts';
import type { Answers } from './calls/answer-outbox.ts';
import { createAnswers } from './calls/answer-outbox.ts';
import { createRedisBroadcast } from './redis-broadcast.ts';
import { createRedisBus } from './calls/redis-bus.ts';
import { createClaims } from './claims/claims.ts';
import type { Connect } from './connection.ts';
import { createConnect } from './connection.ts';
import { createDelivery } from './calls/delivery.ts';
import { createRedisDirectory } from './claims/redis-directory.ts';
import { createHolds } from './claims/holds.ts';
import { createJudge } from './claims/claim-check.ts';
import { shardListFingerprint } from './shard/lease.ts';
import { createProbes } from './claims/probes.ts';
import { createReassert } from './claims/reassert.ts';
import type { RedisShard } from './shard/shard.ts';
import { createShard } from './shard/shard.ts';
import { shardIndex } from './shard/shard-index.ts';
import type { ClusterTimes } from './times.ts';
import { defaultTimes } from './times.ts';

export interface RedisClusterOptions {
  instanceId: string;
  /** Redis URLs: the same list in the same order on every instance, or it gets no lease. */
  shards: readonly string[];
  holds: HoldStore;
  log?: ClusterLog;
  times?: Partial<ClusterTimes>;
  connect?: Connect;
  /** What a shard's URL is by now: its user and password are taken from it at each dial. */
  reread?: (url: string) => string;
}

/** Instances that find and ask each other over one Redis, or several with the clients divided among them. */
export function createRedisCluster(options: RedisClusterOptions): Cluster {
  const { instanceId, holds, log = silentLog, connect = createConnect(options.reread) } = options;
  const times = { ...defaultTimes, ...options.times };
  const boot = newBoot();
  const fingerprint = shardListFingerprint(options.shards);
  let lastCallId = 0;
  const nextCallId = (): number => (lastCallId = (lastCallId + 1) % 2 ** 32);
  let current: Instance | undefined;
  const instance = (): Instance => {
    if (!current) throw new Error('the cluster has not been started');
    return current;
  };

  const allAnswers: Answers[] = [];
  const shards: RedisShard[] = options.shards.map((url) => {
    const shard: RedisShard = createShard(
      { url, boot, instanceId, fingerprint, connect, times, log },
      {
        onCommandMessage: (message) => delivery.onMessage(shard, answers, message),
        onReply: (callId, message) => {
          const reply = readAnswer(message);
          if (!reply) return;
          bus.onAnswer(callId, reply);
          probes.onAnswer(callId, reply);
        },
        onTopic: (topic, message) => broadcast.onTopic(topic, message),
        onRenewed: (atOnce) => {
          claims.flush(shard);
          answers.flush();
          reassert(shard, atOnce);
        },
        onSilence: () => hold(shards),
      },
    );
    const answers = createAnswers(shard, times);
    allAnswers.push(answers);
    shard.listener.onGap(() => bus.onGap(shard));
    return shard;
  });
  const [home] = shards;
  if (!home) throw new Error('a cluster needs at least one Redis');
  const shardOf = (clientId: string): RedisShard => shards[shardIndex(clientId, shards.length)] ?? home;

  const claims = createClaims();
  const judge = createJudge({ boot, claims, shardOf, instance });
  const delivery = createDelivery({ claims, judge, instance });
  const hold = createHolds({ boot, holds, times, log });
  const reassert = createReassert({ boot, claims, instance, times, log });
  const probes = createProbes(boot, nextCallId, times);
  const broadcast = createRedisBroadcast(home);
  const bus = createRedisBus({ boot, shards, shardOf, nextCallId, times });

  return {
    boot,
    instanceId,
    directory: createRedisDirectory({
      boot,
      claims,
      shards,
      shardOf,
      holds,
      probe: (clientId, incumbent) =>
        incumbent.boot === boot
          ? judge.judge(clientId, incumbent.conn)
          : probes.ask(shardOf(clientId), clientId, incumbent),
      times,
    }),
    bus,
    broadcast,
    start: async (started) => {
      current = started;
      const late = within(times.startMs, 'Redis did not answer in time');
      try {
        await Promise.race([Promise.all(shards.map((shard) => shard.start())), late.failure]);
      } catch (cause) {
        await Promise.all(shards.map((shard) => shard.stop()));
        throw cause;
      } finally {
        late.cancel();
      }
    },
    stop: async () => {
      const late = within(times.stopMs, 'Redis did not take the claims back in time');
      const released = [...claims.owned.values()].map(({ shard, clientId, conn }) =>
        claims.release(shard, clientId, conn),
      );
      await Promise.race([Promise.all(released), late.failure]).catch((cause: unknown) => {
        log.warn({ err: cause }, 'claims end with their lease');
      });
      late.cancel();
      delivery.stop();
      for (const answers of allAnswers) answers.stop();
      bus.stop();
      await Promise.all(shards.map((shard) => shard.stop()));
    },
    health: () => healthOf(shards),
  };
}

function healthOf(shards: readonly RedisShard[]): ClusterHealth {
  const deaf = shards.find((shard) => shard.isAnswering() && !shard.listener.isListening());
  if (deaf) return { state: 'deaf', detail: `the subscription on ${deaf.name} is lost` };
  const away = shards.find((shard) => !shard.isAnswering());
  if (away) return { state: 'degraded', detail: `${away.name} does not answer` };
  return { state: 'up' };
}

function within(ms: number, message: string): { failure: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ClusterUnavailable(message)), ms);
  return { failure: promise, cancel: () => clearTimeout(timer) };
}
