import { startPostgres, startRedis, waitFor } from '@tabletop-relay/testing';
import type { TestPostgres } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startNotified } from './notified-accounts.ts';

let postgres: TestPostgres;
let at: Awaited<ReturnType<typeof startNotified>>;
beforeAll(async () => {
  postgres = await startPostgres();
  at = await startNotified({ url: postgres.url, ownerUrl: postgres.ownerUrl, drop: () => postgres.stop() });
});
afterAll(() => at.stop());
beforeEach(() => {
  at.receiver.received.length = 0;
  at.mailServer.mails.length = 0;
});
afterEach(() => at.stopWorkers());

const accounts = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      at.addAccount({ isConfirmed: true, webhooks: [{ url: at.receiver.url }] }),
    ),
  );

const isAllSent = async () => {
  const notices = await at.db.selectFrom('notices').select('id').execute();
  const rows = await at.db.selectFrom('notifications').select('status').execute();
  return notices.length === 0 && rows.length > 0 && rows.every(({ status }) => status === 'sent');
};

const timesEach = (ids: readonly unknown[]) =>
  [...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length);

/** Kills Postgres while the receiver holds the first of the messages, answers them all, and starts Postgres again. */
async function killInMidDelivery(): Promise<void> {
  let killed: Promise<void> | undefined;
  at.receiver.answer = (response) => {
    killed ??= postgres.kill();
    void killed.then(() => response.end('ok'));
  };
  await waitFor(() => killed !== undefined, { timeoutMs: 20_000 });
  await killed;
  at.receiver.answer = (response) => response.end('ok');
  await postgres.restart();
}

it.each([
  ['the queue in the same Postgres', false],
  ['the queue in Redis', true],
])(
  'Postgres that is killed in mid-delivery, with %s, loses nothing',
  async (_where, withRedis) => {
    const redis = withRedis ? await startRedis() : undefined;
    const told = await accounts(4);
    const config = {
      notificationTimeoutMs: 300,
      notificationsAtOnce: 2,
      ...(redis && { redisUrl: [redis.url] }),
    };
    for (const { id } of told) await at.tell(id, {});
    await at.startTestWorker(config);
    await killInMidDelivery();
    await waitFor(() => isAllSent().catch(() => false), { timeoutMs: 60_000 });
    const webhookIds = at.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(webhookIds).size).toBe(4);
    // Only what was under way when Postgres went was sent twice, and its receiver can tell.
    expect(timesEach(webhookIds).filter((times) => times > 1).length).toBeLessThanOrEqual(2);
    expect(Math.max(...timesEach(webhookIds))).toBeLessThanOrEqual(2);
    const mailIds = at.mailServer.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
    expect(new Set(mailIds).size).toBe(4);
    expect(Math.max(...timesEach(mailIds))).toBeLessThanOrEqual(2);
    await at.stopWorkers();
    await redis?.stop();
  },
  90_000,
);
