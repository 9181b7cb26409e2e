import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startRedis } from './redis.ts';
import { waitFor } from '../time/wait-for.ts';

test('a restarted Redis is empty and answers at the same URL', async () => {
  const redis = await startRedis();
  const client = new Redis(redis.url, { lazyConnect: true });
  client.on('error', () => {});
  try {
    await client.set('key', 'value');
    const before = redis.pid;
    await redis.kill();
    expect(() => process.kill(before, 0)).toThrow('ESRCH');
    await redis.restart();
    expect(redis.pid).not.toBe(before);
    expect(await waitFor(() => client.exists('key').then((count) => count === 0))).toBe(true);
  } finally {
    client.disconnect();
    await redis.stop();
  }
});
