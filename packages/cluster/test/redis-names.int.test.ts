import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { newBoot } from '../src/ids.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { takeName } from '../src/redis/take-name.ts';
import { startInstance } from './conformance/fleet.ts';
import { createTestHolds } from './fault-fleet.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const take = (instanceId: string, boot = newBoot(), waitMs = 300) =>
  takeName({ shard: redis.url, instanceId, boot, waitMs });

it('a name whose lease is renewed is not given to another boot, and is free when the lease is given up', async () => {
  const boot = newBoot();
  const options = { instanceId: 'relay 1', boot, shards: [redis.url], holds: createTestHolds() };
  const cluster = createRedisCluster(options);
  await startInstance(cluster);
  let isRunning = true;
  onTestFinished(async () => {
    if (isRunning) await cluster.stop();
  });
  expect(cluster.boot).toBe(boot);
  expect(await take('relay 1')).toBe(false);
  expect(await take('relay 1', boot)).toBe(true);
  expect(await take('1')).toBe(true);
  const waiting = take('relay 1', newBoot(), 10_000);
  await cluster.stop();
  isRunning = false;
  expect(await waiting).toBe(true);
});

it('of two that start at once only one has the name', async () => {
  const taken = await Promise.all([take('twin', newBoot(), 1_000), take('twin', newBoot(), 1_000)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
});
