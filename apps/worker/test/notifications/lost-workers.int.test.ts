import { spawnBound, startRedis, waitFor } from '@tabletop-relay/testing';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { relaySecret, startNotified } from './notified-accounts.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let at: Awaited<ReturnType<typeof startNotified>>;
beforeAll(async () => {
  at = await startNotified();
});
afterAll(() => at.stop());
afterEach(() => at.stopWorkers());

const isAllSent = async () => {
  const rows = await at.db.selectFrom('notifications').select('status').execute();
  const waiting = await at.db.selectFrom('notices').select('id').execute();
  return waiting.length === 0 && rows.length > 0 && rows.every(({ status }) => status === 'sent');
};

it('a worker that is killed in mid-job loses nothing: the message comes again under its id', async () => {
  const account = await at.addAccount({ webhooks: [{ url: at.receiver.url }] });
  // It holds the message and never answers.
  at.receiver.answer = () => {};
  const env = {
    DATABASE_URL: at.database.url,
    MIGRATE: 'off',
    RELAY_SECRET: relaySecret,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    NOTIFICATION_TIMEOUT_MS: '400',
    NOTIFICATION_RETRY_MS: '60000',
  };
  const worker = spawnBound({ command: process.execPath, env }, [main]);
  await at.tell(account.id, {});
  await waitFor(() => at.receiver.received.length === 1, { timeoutMs: 60_000 });
  await worker.end('SIGKILL');
  at.receiver.answer = (response) => response.end('ok');
  await at.startTestWorker();
  await waitFor(isAllSent, { timeoutMs: 60_000 });
  expect(at.receiver.received).toHaveLength(2);
  const [first, second] = at.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
}, 90_000);

it('a Redis that is emptied in between loses nothing, and two workers send nothing twice', async () => {
  const redis = await startRedis();
  at.receiver.received.length = 0;
  at.receiver.answer = (response) => void setTimeout(() => response.end('ok'), 20);
  const accounts = await Promise.all(
    Array.from({ length: 15 }, () => at.addAccount({ webhooks: [{ url: at.receiver.url }] })),
  );
  const config = { redisUrl: [redis.url], notificationsAtOnce: 2 };
  await Promise.all([at.startTestWorker(config), at.startTestWorker(config)]);
  for (const { id } of accounts) await at.tell(id, {});
  await waitFor(() => at.receiver.received.length >= 5);
  await redis.restart();
  await waitFor(isAllSent, { timeoutMs: 60_000 });
  const ids = at.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(15);
  expect(ids).toHaveLength(15);
  await at.stopWorkers();
  await redis.stop();
}, 90_000);
