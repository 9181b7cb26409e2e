import { newId } from '@tabletop-relay/database';
import { waitFor } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startNotified, testSecret } from './notified-accounts.ts';

let at: Awaited<ReturnType<typeof startNotified>>;
beforeAll(async () => {
  at = await startNotified();
});
afterAll(() => at.stop());
beforeEach(() => {
  at.receiver.received.length = 0;
  at.receiver.answer = (response) => response.end('ok');
  at.mailServer.mails.length = 0;
  at.mailServer.refusal = () => undefined;
});
afterEach(() => at.stopWorkers());

const hook = () => ({ url: `${at.receiver.url}/hook` });

const statusOf = async (accountId: string) =>
  (await at.notificationsOf(accountId)).map(({ status }) => status);

it('a receiver that fails and recovers gets each message once, under the id that it had at first', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  const answers = [
    (response: Parameters<typeof at.receiver.answer>[0]) => response.writeHead(500).end('broken'),
    (response: Parameters<typeof at.receiver.answer>[0]) => response.destroy(),
    // Never answered.
    () => {},
    (response: Parameters<typeof at.receiver.answer>[0]) =>
      response.writeHead(302, { location: '/other' }).end(),
    (response: Parameters<typeof at.receiver.answer>[0]) => response.end('at last'),
  ];
  at.receiver.answer = (response) => answers.shift()?.(response);
  await at.startTestWorker({ notificationTimeoutMs: 200 });
  await at.tell(account.id, {});
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  expect(at.receiver.received.map(({ path }) => path)).toEqual(Array(5).fill('/hook'));
  expect(new Set(at.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await at.notificationsOf(account.id)).toMatchObject([
    { tries: 5, answerStatus: 200, answer: 'at last' },
  ]);
  const [webhook] = await at.db
    .selectFrom('webhooks')
    .selectAll()
    .where('accountId', '=', account.id)
    .execute();
  expect(webhook).toMatchObject({ enabled: true, failingSince: null });
});

it('a receiver that is slow takes no room from other accounts', async () => {
  const slowHooks = ['/a', '/b', '/c'].map((path) => ({ url: at.receiver.url + path }));
  const slow = await at.addAccount({ webhooks: slowHooks });
  const other = await at.addAccount({ webhooks: [hook()] });
  const held: Parameters<typeof at.receiver.answer>[0][] = [];
  at.receiver.answer = (response, { path }) => {
    if (path === '/hook') response.end('ok');
    else held.push(response);
  };
  await at.startTestWorker({ notificationsAtOnce: 2, notificationTimeoutMs: 20_000 });
  await at.tell(slow.id, {});
  await waitFor(() => held.length > 0);
  await at.tell(other.id, {});
  await waitFor(async () => (await statusOf(other.id)).join() === 'sent');
  expect(held).toHaveLength(1);
  await at.db.deleteFrom('accounts').where('id', '=', slow.id).execute();
  for (const response of held) response.end();
});

it('a worker with another RELAY_SECRET loses no message to a webhook, and counts none against it', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  await at.startTestWorker({ relaySecret: ['another secret than that of the relay'] });
  await at.tell(account.id, {});
  const tried = async () => (await at.notificationsOf(account.id))[0];
  await waitFor(async () => ((await tried())?.tries ?? 0) > 1);
  expect(await tried()).toMatchObject({ status: 'waiting', answer: expect.stringContaining('RELAY_SECRET') });
  const { failingSince } = await at.db
    .selectFrom('webhooks')
    .select('failingSince')
    .where('accountId', '=', account.id)
    .executeTakeFirstOrThrow();
  expect(failingSince).toBeNull();
  await at.stopWorkers();
  await at.startTestWorker();
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  expect(at.receiver.received).toHaveLength(1);
});

it('the operator, too, has one message under way at a time', async () => {
  const operatorWebhookUrl = `${at.receiver.url}/operator`;
  const notification = (target: string) => ({
    id: newId(),
    target,
    kind: 'standard' as const,
    label: '',
    events: '[]',
    eventCount: 1,
    nextTryAt: new Date(0),
  });
  const heldUntil = new Date(Date.now() + 3_600_000);
  const leased = { ...notification('operator:email'), status: 'waiting' as const, heldUntil };
  const due = { ...notification('operator:webhook'), status: 'collecting' as const };
  await at.db.insertInto('notifications').values([leased, due]).execute();
  const other = await at.addAccount({ webhooks: [hook()] });
  await at.startTestWorker({ operatorWebhookUrl, operatorWebhookSecret: testSecret });
  await at.tell(other.id, {});
  await waitFor(async () => (await statusOf(other.id)).join() === 'sent');
  const operatorPaths = () => at.receiver.received.filter(({ path }) => path === '/operator');
  expect(operatorPaths()).toEqual([]);
  await at.db.deleteFrom('notifications').where('id', '=', leased.id).execute();
  await waitFor(() => operatorPaths().length === 1);
  await at.db.deleteFrom('notifications').where('accountId', 'is', null).execute();
});

it('a target for which twenty messages wait has what happens further collected', async () => {
  const account = await at.addAccount({ webhooks: [{ url: `${at.receiver.url}/full` }] });
  const received = () => at.receiver.received.filter(({ path }) => path === '/full');
  const rows = Array.from({ length: 20 }, (_, index) => ({
    id: `${account.id}${index}`,
    accountId: account.id,
    target: account.webhookIds[0] ?? '',
    kind: 'standard' as const,
    label: '',
    status: 'waiting' as const,
    events: '[]',
    eventCount: 1,
    nextTryAt: new Date(Date.now() + 3_600_000),
    triedSince: new Date(),
  }));
  await at.db.insertInto('notifications').values(rows).execute();
  const collected = async () => {
    const open = (await at.notificationsOf(account.id)).find(({ status }) => status === 'collecting');
    return open?.eventCount;
  };
  await at.startTestWorker();
  for (const count of [1, 2, 3]) {
    await at.tell(account.id, {});
    await expect.poll(collected).toBe(count);
  }
  expect(received()).toEqual([]);
  await at.db
    .deleteFrom('notifications')
    .where('id', '=', rows[0]?.id ?? '')
    .execute();
  await waitFor(() => received().length === 1);
  expect(JSON.parse(received()[0]?.body ?? '')).toMatchObject({ data: { eventCount: 3 } });
});

it('a receiver that says when to come back is not tried before', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  const times: number[] = [];
  at.receiver.answer = (response) => {
    times.push(performance.now());
    if (times.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end();
  };
  await at.startTestWorker();
  await at.tell(account.id, {});
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
});

it('what is given up is a dead letter with the last answer; its webhook is switched off, and its owner is told', async () => {
  const account = await at.addAccount({ isConfirmed: true, webhooks: [hook()] });
  at.receiver.answer = (response) => response.writeHead(503).end('closed\u0000 for good');
  await at.startTestWorker({ notificationGiveUpMs: 5_000, webhookOffAfterMs: 1 });
  await at.tell(account.id, {});
  await waitFor(() => at.mailServer.mails.some(({ source }) => source.includes('was switched off')));
  await waitFor(async () => (await statusOf(account.id)).includes('failed'));
  const [letter] = (await at.notificationsOf(account.id)).filter(({ kind }) => kind === 'standard');
  expect(letter).toMatchObject({ status: 'failed', answerStatus: 503, answer: 'closed  for good' });
  const [webhook] = await at.db
    .selectFrom('webhooks')
    .selectAll()
    .where('accountId', '=', account.id)
    .execute();
  expect(webhook?.enabled).toBe(false);
  expect(webhook?.switchedOffAt).toBeInstanceOf(Date);
  const audit = await at.db.selectFrom('auditLog').selectAll().where('accountId', '=', account.id).execute();
  expect(audit).toMatchObject([
    { event: 'webhook.switched_off', detail: { label: expect.any(String) as string } },
  ]);

  // As its owner has it sent again.
  at.receiver.answer = (response) => response.end('ok');
  const { db } = at;
  await db.updateTable('webhooks').set({ enabled: true }).where('accountId', '=', account.id).execute();
  const again = { status: 'waiting', nextTryAt: new Date(), heldUntil: null, triedSince: null } as const;
  const sentAgain = db.updateTable('notifications').set(again);
  await sentAgain.where('id', '=', letter?.id ?? '').execute();
  await waitFor(async () => !(await statusOf(account.id)).includes('failed'));
  const ids = at.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.lastIndexOf(letter?.id)).toBeGreaterThan(ids.indexOf(letter?.id));
  await db.deleteFrom('accounts').where('id', '=', account.id).execute();
});

it('what was collected for a mail or a webhook that is off by then is given up', async () => {
  const account = await at.addAccount({ isConfirmed: true, webhooks: [hook()], batchSeconds: 3_600 });
  await at.startTestWorker();
  await at.tell(account.id, {});
  await expect.poll(() => statusOf(account.id)).toEqual(['collecting', 'collecting']);
  const { db } = at;
  const settings = db.updateTable('notificationSettings').set({ emailEnabled: false });
  await settings.where('accountId', '=', account.id).execute();
  await db.updateTable('webhooks').set({ enabled: false }).where('accountId', '=', account.id).execute();
  const due = db.updateTable('notifications').set({ nextTryAt: new Date() });
  await due.where('accountId', '=', account.id).execute();
  await waitFor(async () => !/collecting|waiting/.test((await statusOf(account.id)).join()));
  const off = { status: 'failed', answer: 'This webhook or address is off, or was deleted.' };
  expect(await at.notificationsOf(account.id)).toMatchObject([off, off]);
  expect(at.mailServer.mails).toEqual([]);
  expect(at.receiver.received).toEqual([]);
});

it.each([
  ['stays on for three days', 71, true],
  ['is switched off after three days', 72, false],
])('a webhook to which everything fails %s', async (_what, failedHours, isOn) => {
  const account = await at.addAccount({ webhooks: [hook()] });
  const webhook = () =>
    at.db.selectFrom('webhooks').selectAll().where('accountId', '=', account.id).executeTakeFirst();
  const failingSince = new Date(Date.now() - failedHours * 3_600_000);
  await at.db.updateTable('webhooks').set({ failingSince }).where('accountId', '=', account.id).execute();
  at.receiver.answer = (response) => response.writeHead(503).end();
  await at.startTestWorker();
  await at.tell(account.id, {});
  // What the first try left is written before the third.
  if (isOn) await waitFor(() => at.receiver.received.length >= 3);
  else await waitFor(async () => (await webhook())?.enabled === false);
  expect(await webhook()).toMatchObject({ enabled: isOn, failingSince });
});

it('a mail server that is busy is tried again under the same Message-ID; one that refuses for good is not', async () => {
  const account = await at.addAccount({ isConfirmed: true });
  const ids: string[] = [];
  at.mailServer.refusal = () => {
    ids.push('');
    return ids.length === 1 ? Object.assign(new Error('busy'), { responseCode: 451 }) : undefined;
  };
  await at.startTestWorker();
  await at.tell(account.id, {});
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  const [sent] = await at.notificationsOf(account.id);
  expect(sent).toMatchObject({ tries: 2, answerStatus: 250 });
  expect(at.mailServer.mails[0]?.source).toContain(`<${sent?.id}@relay.example>`);
  at.mailServer.refusal = () => Object.assign(new Error('no such user'), { responseCode: 550 });
  await at.tell(account.id, { client_id: 'world-9' });
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent,failed');
  expect((await at.notificationsOf(account.id))[1]).toMatchObject({ tries: 1, answerStatus: 550 });
});

it('a webhook whose name leads into a private network gets no connection', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  await at.startTestWorker({ outboundAllow: [], notificationGiveUpMs: 1 });
  await at.tell(account.id, {});
  await waitFor(async () => (await statusOf(account.id)).join() === 'failed');
  expect((await at.notificationsOf(account.id))[0]?.answer).toBe(
    '127.0.0.1 leads to an address that is not public',
  );
  expect(at.receiver.received).toEqual([]);
});
