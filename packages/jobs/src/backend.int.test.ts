import { startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createJobQueue } from './job-queue.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };

it('a queue takes a changed password of Redis at its next dial', async () => {
  const redis = await startRedis({ requirepass: 'one' });
  const withPassword = (password: string) => redis.url.replace('//', `//:${password}@`);
  let url = withPassword('one');
  const connection = { redisUrl: url, reread: () => url };
  const queue = createJobQueue({ connection, log });
  await queue.add('retention', {});
  const admin = new Redis(url);
  await admin.config('SET', 'requirepass', 'two');
  url = withPassword('two');
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  admin.disconnect();
  const isAdded = () =>
    queue.add('retention', {}).then(
      () => true,
      () => false,
    );
  await expect.poll(isAdded, { timeout: 10_000 }).toBe(true);
  await queue.close();
  await redis.stop();
});
