import { startRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import { WorkerConfigSchema } from '../../../apps/worker/src/config.ts';
import { startWorker } from '../../../apps/worker/src/index.ts';
import { exampleIn, readPage } from '../../../docs/markdown-files.ts';
import { createLogger, readConfig } from '@tabletop-relay/process';
import { Registry } from 'prom-client';

it('relays and a worker need no right in Redis beyond those of the page', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const admin = new Redis(redis.url);
  onTestFinished(() => admin.disconnect());
  const [command = '', ...rest] = exampleIn(readPage('docs/operations/stores.md'), 'acl').trim().split(' ');
  await admin.call(command, ...rest);
  const url = redis.url.replace('//', '//relay:password@');

  const cluster = await startInstances({ count: 2, redis: [url] });
  onTestFinished(() => cluster.stop());
  const worker = await startWorker({
    config: readConfig(WorkerConfigSchema, {
      DATABASE_URL: cluster.databaseUrl,
      REDIS_URL: url,
      RELAY_SECRET: 'a secret for tests; long enough.',
      MIGRATE: 'off',
    }),
    log: createLogger({ name: 'worker', level: 'silent', pretty: false }),
    registry: new Registry(),
  });
  onTestFinished(() => worker.stop());

  const [first, second] = cluster.instances;
  const account = await createAccount(first.url);
  const pairing = await account.pair();
  // Large enough to be parked under a key of its own instead of going through pub/sub.
  const text = 'x'.repeat(400_000);
  const module = await connectModule(first.url, pairing, () => ({ data: { text } }));
  onTestFinished(() => module.close());
  const headers = { 'x-api-key': await account.createKey({ monthlyLimit: 100 }) };
  const answer = await call(second?.url ?? '', 'GET', `/world-info?clientId=${pairing.clientId}`, {
    headers,
  });
  expect(answer.status).toBe(200);
  expect(await worker.readiness()).toEqual({ ready: true, postgres: 'up', queue: 'up' });

  expect(await admin.call('ACL', 'LOG')).toEqual([]);
  const bytes = await admin.memory('USAGE', `r:own:${pairing.clientId}`);
  expect(bytes).toBeLessThan(1_024);
}, 90_000);
