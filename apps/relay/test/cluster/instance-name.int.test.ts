import { findFreePort, startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { nameInstance } from '../../src/instances/instance-name.ts';

it('a name that another start or instance has is kept apart by the boot; a free one, or one without Redis, is not', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const client = new Redis(redis.url);
  await client.mset('r:live:another', 'token relay-1');
  await client.hset('r:instances', 'another', '');
  client.disconnect();
  const named = (instanceId: string) => nameInstance({ instanceId, redisUrl: [redis.url] });
  const [second, free] = await Promise.all([named('relay-1'), named('relay-2')]);
  expect(second.instanceId).toBe(`relay-1-${second.boot.slice(0, 4)}`);
  expect(second.warning).toContain(`this one runs as ${second.instanceId}`);
  expect(free).toEqual({ instanceId: 'relay-2', boot: free.boot });
  const away = [`redis://127.0.0.1:${await findFreePort()}`];
  expect(await nameInstance({ instanceId: 'relay-1', redisUrl: away })).toMatchObject({
    instanceId: 'relay-1',
  });
  expect(await nameInstance({ instanceId: 'relay-1', redisUrl: [] })).toMatchObject({
    instanceId: 'relay-1',
  });
}, 30_000);
