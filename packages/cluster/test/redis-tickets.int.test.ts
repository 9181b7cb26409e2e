import { startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';

const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };

test('Redis forgets a ticket that was not used in time, and one that was away for five minutes', async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const cluster = createRedisCluster({ instanceId: 'one', shards: [server.url], holds });
  await cluster.start({
    deliver: () => Promise.reject(new Error('none')),
    isArriving: () => false,
    probe: () => Promise.resolve(false),
    evict: () => {},
    promote: () => {},
    claims: () => [],
  });
  try {
    const leftS = async () => Math.round((await redis.pttl('r:ticket:one')) / 1_000);
    await cluster.tickets.issue('one', 'note', 60_000);
    expect(await leftS()).toBe(60);
    await cluster.tickets.use('one', { shown: '', next: '1' });
    expect(await leftS()).toBe(300);
    await redis.pexpire('r:ticket:one', 1_000);
    await cluster.tickets.keep(['one', 'unknown']);
    expect(await leftS()).toBe(300);
    expect(await redis.exists('r:ticket:unknown')).toBe(0);
  } finally {
    await cluster.stop();
    redis.disconnect();
    await server.stop();
  }
});
