import type { FaultProxy, TestRedis } from '@tabletop-relay/testing';
import { startFaultProxy, startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import type { HoldStore } from '../src/cluster.ts';
import type { TestInstance } from './conformance/fleet.ts';
import { startInstance } from './conformance/fleet.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';

/** Holds as Postgres keeps them, with a switch for its absence. */
export interface TestHolds extends HoldStore {
  isAway: boolean;
}

export interface NetworkedInstance extends TestInstance {
  /** Between this instance and Redis. */
  readonly network: FaultProxy;
}

/** Instances on one real Redis, each behind a network of its own. */
export interface FaultFleet {
  readonly redis: TestRedis;
  /** For processes that join past the proxies. */
  readonly url: string;
  readonly holds: TestHolds;
  /** What Redis itself holds. */
  readonly store: Redis;
  start(instanceId: string): Promise<NetworkedInstance>;
  close(): Promise<void>;
}

export async function openFaultFleet(): Promise<FaultFleet> {
  const redis = await startRedis();
  const store = new Redis(redis.url, { retryStrategy: () => 50 });
  store.on('error', () => {});
  const holds = createTestHolds();
  const instances: NetworkedInstance[] = [];
  return {
    redis,
    url: `${redis.url}#shared`,
    holds,
    store,
    start: async (instanceId) => {
      const network = await startFaultProxy(redis.port);
      const shards = [`redis://127.0.0.1:${network.port}#shared`];
      const test = await startInstance(createRedisCluster({ instanceId, shards, holds }));
      const instance = Object.assign(test, { network });
      instances.push(instance);
      return instance;
    },
    close: async () => {
      for (const { network } of instances) network.heal();
      await Promise.all(instances.map(({ cluster }) => cluster.stop()));
      await Promise.all(instances.map(({ network }) => network.close()));
      store.disconnect();
      await redis.stop();
    },
  };
}

function createTestHolds(): TestHolds {
  const heldUntil = new Map<string, number>();
  const holds: TestHolds = {
    isAway: false,
    hold: (boot, ms) => {
      if (holds.isAway) return Promise.reject(new Error('Postgres is away'));
      heldUntil.set(boot, performance.now() + ms);
      return Promise.resolve();
    },
    isHeld: (boot) => {
      if (holds.isAway) return Promise.reject(new Error('Postgres is away'));
      return Promise.resolve((heldUntil.get(boot) ?? 0) > performance.now());
    },
  };
  return holds;
}
