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
  at.mailServer.mails.length = 0;
  at.mailServer.refusal = () => undefined;
});
afterEach(() => at.stopWorkers());

const hook = () => ({ url: `${at.receiver.url}/hook` });

const notificationsOf = (accountId: string) =>
  at.db.selectFrom('notifications').selectAll().where('accountId', '=', accountId).orderBy('id').execute();

const statusOf = async (accountId: string) => (await notificationsOf(accountId)).map(({ status }) => status);

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
  expect(await notificationsOf(account.id)).toMatchObject([
    { tries: 5, answerStatus: 200, answer: 'at last' },
  ]);
  const [webhook] = await at.db
    .selectFrom('webhooks')
    .selectAll()
    .where('accountId', '=', account.id)
    .execute();
  expect(webhook).toMatchObject({ enabled: true, failingSince: null });
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
  const [letter] = (await notificationsOf(account.id)).filter(({ kind }) => kind === 'standard');
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
  const [sent] = await notificationsOf(account.id);
  expect(sent).toMatchObject({ tries: 2, answerStatus: 250 });
  expect(at.mailServer.mails[0]?.source).toContain(`<${sent?.id}@relay.example>`);
  at.mailServer.refusal = () => Object.assign(new Error('no such user'), { responseCode: 550 });
  await at.tell(account.id, { client_id: 'world-9' });
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent,failed');
  expect((await notificationsOf(account.id))[1]).toMatchObject({ tries: 1, answerStatus: 550 });
});

it('a webhook whose name leads into a private network gets no connection', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  await at.startTestWorker({ outboundAllow: [], notificationGiveUpMs: 1 });
  await at.tell(account.id, {});
  await waitFor(async () => (await statusOf(account.id)).join() === 'failed');
  expect((await notificationsOf(account.id))[0]?.answer).toBe(
    '127.0.0.1 leads to an address that is not public',
  );
  expect(at.receiver.received).toEqual([]);
});
