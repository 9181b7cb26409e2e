import { createTestDatabase, setReadOnly, startRedis } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import Value from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHost } from '../../browser-host/test/host.ts';
import { WorkerConfigSchema } from '../src/config.ts';
import type { WorkerConfig } from '../src/config.ts';
import { startWorker } from '../src/worker.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
let database: TestDatabase;
beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
});
afterAll(async () => {
  await Promise.all([redis.stop(), database.drop()]);
});

const stores = () => ({ databaseUrl: database.url, redisUrl: [redis.url] });

function startTestWorker() {
  const given = { ...stores(), relaySecret: ['a secret for tests; long enough.'] };
  const config = Value.Default(WorkerConfigSchema, given) as WorkerConfig;
  return startWorker({ config, log: pino({ level: 'silent' }), registry: new Registry() });
}

it.each([
  ['a worker', startTestWorker],
  ['a browser host', () => startTestHost(stores())],
])(
  '%s is not ready while Postgres takes no writes, and does not start',
  async (_name, start) => {
    const part = await start();
    try {
      await expect.poll(part.readiness).toEqual({ ready: true, postgres: 'up', queue: 'up' });
      await setReadOnly(database.ownerUrl, true);
      await expect.poll(part.readiness).toEqual({ ready: false, postgres: 'read_only', queue: 'up' });
      await expect(start()).rejects.toThrow(/Postgres \(DATABASE_URL\).*read-only.*primary/);
      await setReadOnly(database.ownerUrl, false);
      await expect.poll(part.readiness).toEqual({ ready: true, postgres: 'up', queue: 'up' });
    } finally {
      await part.stop();
    }
  },
  60_000,
);
