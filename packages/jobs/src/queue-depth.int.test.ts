import { createTestDatabase, startRedis } from '@tabletop-relay/testing';
import { Type } from 'typebox';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { JobsConnection } from './backend.ts';
import { createJobQueue } from './job-queue.ts';
import { startJobWorker } from './job-worker.ts';
import { migrateJobs } from './migrate.ts';

const catalogue = {
  fails: { summary: '', payload: Type.Object({}), attempts: 1, backoffMs: 10, timeoutMs: 1_000 },
} as const;
const log = { info: () => {}, warn: () => {}, error: () => {} };

async function onRedis(): Promise<JobsConnection> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return { redisUrl: redis.url };
}

async function onPostgres(): Promise<JobsConnection> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await migrateJobs({ url: database.ownerUrl, grantTo: database.role });
  return { databaseUrl: database.url };
}

it.each([
  ['Redis', onRedis],
  ['Postgres', onPostgres],
])(
  'a queue on %s tells what waits, is due later and failed, and the age of the oldest',
  async (_name, open) => {
    const options = { connection: await open(), log, catalogue };
    const queue = createJobQueue(options);
    onTestFinished(() => queue.close());
    await queue.add('fails', {});
    await queue.add('fails', {});
    await queue.add('fails', {}, { delayMs: 600_000 });
    expect(await queue.depth()).toMatchObject({ waiting: 2, active: 0, delayed: 1, failed: 0 });
    await vi.waitFor(async () => expect((await queue.depth()).oldestMs).toBeGreaterThan(50));
    expect((await queue.depth()).oldestMs).toBeLessThan(60_000);
    const unserved = createJobQueue({ ...options, queueName: 'unserved' });
    onTestFinished(() => unserved.close());
    await unserved.add('fails', {}, { delayMs: 10 });
    await vi.waitFor(async () => expect((await unserved.depth()).oldestMs).toBeGreaterThan(50));
    const worker = await startJobWorker({
      ...options,
      handlers: { fails: () => Promise.reject(new Error('no')) },
    });
    onTestFinished(() => worker.close());
    await vi.waitFor(async () => expect((await queue.depth()).failed).toBe(2), 10_000);
    expect(await queue.depth()).toMatchObject({ waiting: 0, oldestMs: 0 });
  },
);
