import { waitFor } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startNotified } from './notified-accounts.ts';

let at: Awaited<ReturnType<typeof startNotified>>;
beforeAll(async () => {
  at = await startNotified();
});
afterAll(() => at.stop());
beforeEach(() => {
  at.receiver.received.length = 0;
  at.receiver.answer = (response) => response.end('ok');
});
afterEach(() => at.stopWorkers());

const hook = () => ({ url: `${at.receiver.url}/hook` });

/** From an hour ago until two hours from now, to the minute. */
function quietNow() {
  const clock = (inMinutes: number) => new Date(Date.now() + inMinutes * 60_000).toISOString().slice(11, 16);
  return { quietFrom: clock(-60), quietTo: clock(120), timeZone: 'UTC' };
}

/** In how many minutes the account's only notification is tried next; undefined as long as it is no such one. */
async function waitMinutes(accountId: string, status: string): Promise<number | undefined> {
  const [one] = await at.notificationsOf(accountId);
  return one?.status === status ? (one.nextTryAt.getTime() - Date.now()) / 60_000 : undefined;
}

const isWaitingForTheEnd = async (accountId: string, status: string) => {
  await expect.poll(() => waitMinutes(accountId, status)).toBeGreaterThan(118);
  expect(await waitMinutes(accountId, status)).toBeLessThanOrEqual(120);
};

it('in quiet hours what happens is collected until they end, and what concerns security brings it along', async () => {
  const account = await at.addAccount({ webhooks: [hook()], quietHours: quietNow() });
  await at.startTestWorker();
  await at.tell(account.id, {});
  await isWaitingForTheEnd(account.id, 'collecting');
  await at.tell(account.id, { outcome: 'disconnected', metadata_match: null });
  await waitFor(async () => (await at.notificationsOf(account.id))[0]?.eventCount === 2);
  // What needs attention is no alarm.
  const detail = { label: 'chat.example' };
  const record = { event: 'webhook.failing', outcome: 'ok', detail, at: new Date().toISOString() };
  const attention = { accountId: account.id, source: 'audit_log' as const, record: JSON.stringify(record) };
  await at.db.insertInto('notices').values(attention).execute();
  await waitFor(async () => (await at.notificationsOf(account.id))[0]?.eventCount === 3);
  await isWaitingForTheEnd(account.id, 'collecting');
  expect(at.receiver.received).toEqual([]);
  await at.tellOfPassword(account.id);
  await waitFor(() => at.receiver.received.length === 1);
  const { data } = JSON.parse(at.receiver.received[0]?.body ?? '');
  expect(data).toMatchObject({ eventCount: 4 });
  expect(data.events.map(({ event }: { event: string }) => event)).toContain('attention');
});

it('what concerns security brings along what a full list collected, and comes first in it', async () => {
  const chat = { kind: 'discord' as const, url: `${at.receiver.url}/chat` };
  const account = await at.addAccount({ webhooks: [hook(), chat], quietHours: quietNow() });
  const countAll = async () => (await at.notificationsOf(account.id)).map(({ eventCount }) => eventCount);
  await at.startTestWorker();
  for (let index = 0; index < 50; index++) await at.tell(account.id, { client_id: `world-${index}` });
  await expect.poll(countAll).toEqual([50, 50]);
  await at.tellOfPassword(account.id);
  await waitFor(() => at.receiver.received.length === 2);
  const bodyAt = (path: string) => at.receiver.received.find((one) => one.path === path)?.body ?? '';
  const { events, eventCount } = JSON.parse(bodyAt('/hook')).data;
  expect(events.map(({ event }: { event: string }) => event)).toEqual([
    'security',
    ...Array<string>(49).fill('connect'),
  ]);
  expect(eventCount).toBe(51);
  expect(JSON.parse(bodyAt('/chat')).content).toMatch(/\n- .*password[^]*\n- And 31 more\.$/);
});

it('what failed is not tried again in quiet hours', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  at.receiver.answer = (response) => {
    void at.db
      .updateTable('notificationSettings')
      .set(quietNow())
      .where('accountId', '=', account.id)
      .execute()
      .then(() => response.writeHead(503).end());
  };
  await at.startTestWorker();
  await at.tell(account.id, {});
  await waitFor(() => at.receiver.received.length === 1);
  await isWaitingForTheEnd(account.id, 'waiting');
  expect(at.receiver.received).toHaveLength(1);
});

it('what concerns security is tried again in quiet hours too', async () => {
  const account = await at.addAccount({ webhooks: [hook()], quietHours: quietNow() });
  const answers = [503, 200];
  at.receiver.answer = (response) => response.writeHead(answers.shift() ?? 200).end();
  await at.startTestWorker();
  await at.tellOfPassword(account.id);
  await waitFor(async () => (await at.notificationsOf(account.id))[0]?.status === 'sent');
  expect(at.receiver.received).toHaveLength(2);
});

it('what was due before, while no worker ran, is not sent in quiet hours', async () => {
  const account = await at.addAccount({ webhooks: [hook()], quietHours: quietNow() });
  const loud = await at.addAccount({ webhooks: [hook()] });
  for (const { id, webhookIds } of [account, loud]) {
    await at.db
      .insertInto('notifications')
      .values({
        id,
        accountId: id,
        target: webhookIds[0] ?? '',
        kind: 'standard',
        label: '',
        status: 'collecting',
        events: '[]',
        eventCount: 1,
        nextTryAt: new Date(Date.now() - 1_000),
      })
      .execute();
  }
  await at.startTestWorker();
  await waitFor(async () => (await at.notificationsOf(loud.id))[0]?.status === 'sent');
  await isWaitingForTheEnd(account.id, 'collecting');
  expect(at.receiver.received).toHaveLength(1);
});
