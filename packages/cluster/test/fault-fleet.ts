import type { FaultProxy, TestRedis } from '@tabletop-relay/testing';
import { startFaultProxy, startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import type { Authority, HoldStore } from '../src/cluster.ts';
import type { TestInstance } from './conformance/fleet.ts';
import { startInstance } from './conformance/fleet.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';

/** Options of `vi.waitFor` for what takes a reconnect or the end of a lease. */
export const soon = { timeout: 10_000, interval: 10 };

/** Holds as Postgres keeps them. `isAway` makes it unavailable. */
export interface TestHolds extends HoldStore {
  isAway: boolean;
}

export interface NetworkedInstance extends TestInstance {
  /** The network between this instance and Redis: the only shard, or the first. */
  readonly network: FaultProxy;
  /** The networks to all shards. */
  readonly networks: readonly FaultProxy[];
}

/** Instances on one real Redis, or on several shards, each with networks that can fail. */
export interface FaultFleet {
  /** The only shard, or the first. */
  readonly redis: TestRedis;
  /** Address of Redis for processes that join without a proxy. */
  readonly url: string;
  readonly holds: TestHolds;
  /** A client of Redis that reads and changes its data directly. */
  readonly store: Redis;
  start(instanceId: string): Promise<NetworkedInstance>;
  close(): Promise<void>;
}

export async function openFaultFleet(shardCount = 1): Promise<FaultFleet> {
  const servers = await Promise.all(Array.from({ length: shardCount }, () => startRedis()));
  const [redis] = servers as [TestRedis];
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
      const networks = await Promise.all(servers.map(({ port }) => startFaultProxy(port)));
      const [network] = networks as [FaultProxy];
      const shards = networks.map(({ port }, index) => `redis://127.0.0.1:${port}#shared${index || ''}`);
      const test = await startInstance(createRedisCluster({ instanceId, shards, holds }));
      const instance = Object.assign(test, { network, networks });
      instances.push(instance);
      return instance;
    },
    close: async () => {
      const networks = instances.flatMap((instance) => instance.networks);
      for (const network of networks) network.heal();
      await Promise.all(instances.map(({ cluster }) => cluster.stop()));
      await Promise.all(networks.map((network) => network.close()));
      store.disconnect();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

export function createTestHolds(): TestHolds {
  const heldUntil = new Map<string, number>();
  const holds: TestHolds = {
    isAway: false,
    hold: (boot, shards, ms) => {
      if (holds.isAway) return Promise.reject(new Error('Postgres is away'));
      for (const shard of shards) heldUntil.set(`${boot} ${shard}`, performance.now() + ms);
      return Promise.resolve();
    },
    isHeld: (boot, shard) => {
      if (holds.isAway) return Promise.reject(new Error('Postgres is away'));
      return Promise.resolve((heldUntil.get(`${boot} ${shard}`) ?? 0) > performance.now());
    },
  };
  return holds;
}

export function startPair(fleet: FaultFleet): Promise<[asker: NetworkedInstance, owner: NetworkedInstance]> {
  return Promise.all([fleet.start('asker'), fleet.start('owner')]);
}

/** The bodies of the commands that were delivered to an instance. */
export function bodies(instance: NetworkedInstance): string[] {
  return instance.delivered.map(({ body }) => body.toString());
}

/** Samples the instances' authorities over a client each millisecond. `stop` answers their combinations in order. */
export function sampleAuthorities(
  instances: readonly TestInstance[],
  clientId: string,
): { stop: () => Authority[][] } {
  const seen: Authority[][] = [];
  const sample = (): void => {
    const now = instances.map(({ cluster }) => cluster.directory.authority(clientId));
    if (now.join(' ') !== seen.at(-1)?.join(' ')) seen.push(now);
  };
  sample();
  const timer = setInterval(sample, 1);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return seen;
    },
  };
}
