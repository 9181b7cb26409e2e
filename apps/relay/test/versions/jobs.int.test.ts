import { createJobQueue, readFailedJobs } from '@tabletop-relay/jobs';
import { findFreePort, startRedis, waitFor } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startNotified } from '../../../worker/test/notifications/notified-accounts.ts';
import { startRelayProcess } from '../process.ts';
import { startBeside } from './beside-processes.ts';
import { unpackReleaseBefore } from './release-before.ts';

const release = unpackReleaseBefore();
const apps = { before: release.app, here: undefined } as const;
type Version = keyof typeof apps;

let at: Awaited<ReturnType<typeof startNotified>>;
let store: Redis;
let redisUrl: string;
beforeAll(async () => {
  at = await startNotified();
});
beforeEach(async () => {
  const redis = await startRedis();
  redisUrl = redis.url;
  store = new Redis(redisUrl);
  onTestFinished(async () => {
    store.disconnect();
    await redis.stop();
  });
});
afterAll(async () => {
  await at.stop();
  release.remove();
});

const scheduled = ['expiry', 'usage-roll-up', 'retention', 'call-retention'] as const;

const startWorker = (version: Version) =>
  startBeside('worker', {
    app: apps[version],
    databaseUrl: at.database.url,
    redisUrl,
    // A message that is held leaves no room for the next one.
    env: { NOTIFICATIONS_AT_ONCE: '1', NOTIFICATION_TIMEOUT_MS: '60000' },
  });

/** A webhook of a new account and something that it is told of, both by way of a relay. */
async function addNotice(url: string, receiver: string): Promise<void> {
  const account = await createAccount(url);
  const others = { connect: false, disconnect: false, metadataMismatch: false, duplicateRejected: false };
  const saved = await account.as('PUT', '/auth/notification-settings', {
    events: { ...others, security: true },
    webhooks: [{ kind: 'standard', url: receiver }],
    email: { enabled: false },
    batchSeconds: 10,
  });
  expect(saved.status).toBe(200);
  const mine = at.db.updateTable('notificationSettings').where('accountId', '=', account.accountId);
  await mine.set({ batchSeconds: 0 }).execute();
  await account.createKey();
}

describe.each([
  ['before', 'here'],
  ['here', 'before'],
] as const)('jobs that a worker of the release %s wrote', (writer, taker) => {
  it(
    `are done by one of ${taker}, and it wrote them of what a relay of ${taker} told it`,
    { timeout: 120_000 },
    async () => {
      const app = apps[taker];
      const relay = await startRelayProcess({
        port: await findFreePort(),
        databaseUrl: at.database.url,
        redisUrl,
        instanceId: taker,
        env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
        ...(app && { app }),
      });
      onTestFinished(async () => void (await relay.end('SIGKILL')));
      const queue = createJobQueue({ connection: { redisUrl }, log: { warn: () => {} } });
      onTestFinished(() => queue.close());
      at.receiver.received.length = 0;
      at.receiver.answer = () => {};
      const paths = ['/one', '/two'];
      for (const path of paths) await addNotice(relay.url, at.receiver.url + path);

      const first = startWorker(writer);
      await waitFor(() => at.receiver.received.length === 1, { timeoutMs: 60_000 });
      await waitFor(async () => (await store.llen('r:notifications:wait')) === 1, { timeoutMs: 10_000 });
      await first.end('SIGKILL');
      // As a worker of this release does by its schedules.
      for (const name of scheduled) await queue.add(name, {});

      at.receiver.answer = (response) => response.end('ok');
      startWorker(taker);
      // Postgres brings it up anew only after two minutes: it comes by the job that was waiting.
      const held = at.receiver.received[0]?.path;
      // Each account is told of its new settings too, before or after.
      const isOfKey = ({ body }: { body: string }) => body.includes('key');
      const next = await waitFor(
        () => at.receiver.received.find((request) => request.path !== held && isOfKey(request)),
        { timeoutMs: 60_000 },
      );
      expect(next.path).toBe(paths.find((path) => path !== held));
      await expect.poll(() => store.zcard('r:jobs:completed')).toBe(scheduled.length);
      expect(await readFailedJobs({ redisUrl }, 10)).toEqual([]);
    },
  );
});
