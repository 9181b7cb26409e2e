import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { startInstances } from './instances.ts';
import type { TestInstance, TestInstances, TestInstancesOptions } from './instances.ts';

export const drivers = ['memory', 'redis'] as const;

export interface TwoInstances {
  cluster: TestInstances;
  first: TestInstance;
  second: TestInstance;
  /** That of the driver `redis`. */
  redis?: TestRedis;
  stop(): Promise<void>;
}

/** Two instances over one of the cluster's drivers, Redis being a real one of their own. */
export async function startTwo(
  driver: (typeof drivers)[number],
  options: Omit<TestInstancesOptions, 'count' | 'redis'> = {},
): Promise<TwoInstances> {
  const redis = driver === 'redis' ? await startRedis() : undefined;
  const cluster = await startInstances({ count: 2, ...options, ...(redis ? { redis: [redis.url] } : {}) });
  const [first, second] = cluster.instances as [TestInstance, TestInstance];
  return {
    cluster,
    first,
    second,
    ...(redis && { redis }),
    async stop() {
      await cluster.stop();
      await redis?.stop();
    },
  };
}
