import { createJobQueue, notificationJobs } from '@tabletop-relay/jobs';
import { spawnBound, startRedis, waitFor } from '@tabletop-relay/testing';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startPump } from '../../src/notifications/pump.ts';
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

it('a Redis that is emptied midway has a job for each open notification again, and two workers send nothing twice', async () => {
  const redis = await startRedis();
  const queue = createJobQueue({
    connection: { redisUrl: redis.url },
    log: { warn: () => {} },
    catalogue: notificationJobs,
    queueName: 'notifications',
  });
  const clock = (inMinutes: number) => new Date(Date.now() + inMinutes * 60_000).toISOString().slice(11, 16);
  const quietHours = { quietFrom: clock(-60), quietTo: clock(120), timeZone: 'UTC' };
  const add = (path: string, more = {}) =>
    at.addAccount({ webhooks: [{ url: at.receiver.url + path }], ...more });
  const statusOf = async ({ id }: { id: string }) => (await at.notificationsOf(id))[0]?.status;
  const sent = (path: string) => at.receiver.received.filter((request) => request.path === path);
  const quiet = await add('/quiet', { quietHours });
  const [failing, slow] = [await add('/failing'), await add('/slow')];
  const quick = await Promise.all(Array.from({ length: 12 }, () => add('/quick')));
  at.receiver.received.length = 0;
  const slowAnswer = Promise.withResolvers<void>();
  at.receiver.answer = (response, { path }) => {
    if (path === '/slow') void slowAnswer.promise.then(() => response.end('ok'));
    else if (path === '/failing' && sent(path).length === 1) response.writeHead(503).end();
    else setTimeout(() => response.end('ok'), 20);
  };
  const config = {
    redisUrl: [redis.url],
    notificationsAtOnce: 3,
    notificationRetryMs: 600_000,
    notificationTimeoutMs: 60_000,
  };
  await Promise.all([at.startTestWorker(config), at.startTestWorker(config)]);
  for (const { id } of [quiet, slow, failing]) await at.tell(id, {});
  await waitFor(async () => (await at.notificationsOf(failing.id))[0]?.answerStatus === 503);
  await waitFor(() => sent('/slow').length === 1);
  for (const { id } of quick) await at.tell(id, {});
  await waitFor(() => sent('/quick').length >= 3);
  await redis.empty();

  await waitFor(async () => {
    const statuses = await Promise.all(quick.map(statusOf));
    return statuses.every((status) => status === 'sent');
  });
  const schedules = createJobQueue({ connection: { redisUrl: redis.url }, log: { warn: () => {} } });
  await expect.poll(async () => (await schedules.depth()).delayed).toBeGreaterThanOrEqual(3);
  await schedules.close();
  // The one in quiet hours, the one that failed, and the one under way, should its worker die.
  await expect.poll(async () => (await queue.depth()).delayed).toBeGreaterThanOrEqual(3);
  expect(await statusOf(quiet)).toBe('collecting');
  slowAnswer.resolve();
  const { db } = at;
  const loud = { quietFrom: null, quietTo: null, timeZone: null };
  await db.updateTable('notificationSettings').set(loud).where('accountId', '=', quiet.id).execute();
  const due = db.updateTable('notifications').set({ nextTryAt: new Date() });
  await due.where('accountId', 'in', [failing.id, quiet.id]).execute();
  await waitFor(isAllSent);
  expect(['/quick', '/slow', '/failing', '/quiet'].map((path) => sent(path).length)).toEqual([12, 1, 2, 1]);
  expect(new Set(sent('/failing').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await at.stopWorkers();
  await queue.close();
  await redis.stop();
}, 90_000);

it('what is sent again is hastened once each time, while it waits for a worker', async () => {
  const { db } = at;
  const account = await at.addAccount({ webhooks: [{ url: at.receiver.url }] });
  const nobody = await at.addAccount({ events: [] });
  let rounds = 0;
  const hastened: string[] = [];
  const pump = startPump({
    db,
    queue: {
      ensure: (_name, wanted, how) => {
        if (how?.hasten) hastened.push(...wanted.map(({ id }) => id));
        return Promise.resolve();
      },
    },
    log: pino({ level: 'silent' }),
    everyMs: 5,
    settleMs: 0,
    recheckMs: 600_000,
    operatorTargets: [],
    sendsMail: false,
    now: Date.now,
  });
  const sendAgain = async () => {
    rounds += 1;
    const row = { status: 'waiting' as const, nextTryAt: new Date(Date.now() - rounds), triedSince: null };
    await db.updateTable('notifications').set(row).where('accountId', '=', account.id).execute();
  };
  await at.tell(account.id, {});
  await expect.poll(() => hastened).toHaveLength(1);
  for (const times of [2, 3]) {
    await sendAgain();
    await expect.poll(() => hastened).toHaveLength(times);
    // Rounds pass: each takes the notices that were written before it.
    for (let round = 0; round < 3; round += 1) {
      await at.tell(nobody.id, {});
      await expect.poll(() => db.selectFrom('notices').select('id').execute()).toEqual([]);
    }
    expect(hastened).toHaveLength(times);
  }
  await pump.stop();
});
