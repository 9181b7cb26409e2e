import { Webhook } from 'standardwebhooks';
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

it('a webhook gets a message that its library verifies, and a confirmed address a mail in text and HTML', async () => {
  const account = await at.addAccount({ isConfirmed: true, webhooks: [hook()] });
  await at.startTestWorker();
  await at.tell(account.id, { world_title: 'Strahd <b>&</b>' });
  await waitFor(() => at.receiver.received.length === 1 && at.mailServer.mails.length === 1);
  const [{ headers, body } = { headers: {}, body: '' }] = at.receiver.received;
  const verified = new Webhook(testSecret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({
    type: 'account.notified',
    data: {
      eventCount: 1,
      events: [
        { event: 'connect', sentence: 'Strahd <b>&</b> in Firefox on Linux connected.', clientId: 'world-1' },
      ],
    },
  });
  const [{ to, source } = { to: '', source: '' }] = at.mailServer.mails;
  expect(to).toBe(account.email);
  expect(source).toMatch(/Message-ID: <[0-9a-z]{26}@relay\.example>/i);
  expect(source).toContain('text/plain');
  expect(source).toContain('text/html');
  expect(source).toContain('Strahd &lt;b&gt;&amp;&lt;/b&gt;');
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent,sent');
  expect(at.receiver.received).toHaveLength(1);
  expect(at.mailServer.mails).toHaveLength(1);
});

it('a world that flaps sends one message, not fifty', async () => {
  const account = await at.addAccount({ webhooks: [hook()], batchSeconds: 1 });
  for (let turn = 0; turn < 25; turn++) {
    await at.tell(account.id, { outcome: 'connected' });
    await at.tell(account.id, { outcome: 'disconnected', metadata_match: null });
  }
  await at.startTestWorker();
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  const [{ body } = { body: '' }] = at.receiver.received;
  expect(at.receiver.received).toHaveLength(1);
  expect(JSON.parse(body)).toMatchObject({
    data: {
      eventCount: 50,
      events: [
        { event: 'connect', count: 25 },
        { event: 'disconnect', count: 25 },
      ],
    },
  });
});

it('a target that had messages lately waits longer, but not for what concerns security', async () => {
  const account = await at.addAccount({ webhooks: [hook()], batchSeconds: 60 });
  const target = account.webhookIds[0] ?? '';
  const sent = {
    accountId: account.id,
    target,
    kind: 'standard',
    label: '',
    events: '[]',
    eventCount: 1,
  } as const;
  for (const id of ['a', 'b', 'c']) {
    await at.db
      .insertInto('notifications')
      .values({ ...sent, id: `${account.id}${id}`, status: 'sent', nextTryAt: new Date() })
      .execute();
  }
  await at.startTestWorker();
  const dueInS = async () => {
    const open = (await at.notificationsOf(account.id)).find(({ status }) => status === 'collecting');
    return open && (open.nextTryAt.getTime() - Date.now()) / 1_000;
  };
  await at.tell(account.id, {});
  await expect.poll(dueInS).toBeGreaterThan(400);
  await at.tellOfPassword(account.id);
  await expect.poll(dueInS).toBeLessThan(61);
});

it('nobody is told who did not ask for it, and no address that is not confirmed', async () => {
  const unconfirmed = await at.addAccount({ isConfirmed: false });
  const choosy = await at.addAccount({ isConfirmed: true, events: ['metadataMismatch'], webhooks: [hook()] });
  await at.tell(unconfirmed.id, {});
  await at.tell(choosy.id, {});
  await at.tell(choosy.id, { metadata_match: false, mismatch: ['worldId'] });
  await at.startTestWorker();
  await waitFor(async () => (await statusOf(choosy.id)).join() === 'sent,sent');
  expect(at.receiver.received.map(({ body }) => JSON.parse(body).data.events)).toMatchObject([
    [{ event: 'metadataMismatch', count: 1 }],
  ]);
  expect(at.mailServer.mails.map(({ to }) => to)).toEqual([choosy.email]);
  expect(await at.notificationsOf(unconfirmed.id)).toEqual([]);
});

it('a world is told of under its paired name, and why its connection ended', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  const clientId = `world-of-${account.id}`;
  await at.db
    .insertInto('knownClients')
    .values({
      clientId,
      accountId: account.id,
      pairedWorldId: 'w',
      worldId: 'w',
      worldTitle: 'The Chapel',
      customName: 'Thursdays',
    })
    .execute();
  const told = { client_id: clientId, world_title: 'Free gold' };
  await at.tell(account.id, { ...told, outcome: 'duplicate', close_code: 4004 });
  await at.tell(account.id, { ...told, outcome: 'disconnected', metadata_match: null, close_code: 4002 });
  await at.startTestWorker();
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  const { events } = JSON.parse(at.receiver.received[0]?.body ?? '').data as {
    events: { sentence: string }[];
  };
  expect(events.map(({ sentence }) => sentence)).toEqual([
    'Thursdays in Firefox on Linux was refused: another browser is connected as this world. It calls itself “Free gold”.',
    'Thursdays in Firefox on Linux disconnected: its browser was unpaired.',
  ]);
});

it('a world that goes on to another instance has neither left nor come', async () => {
  const account = await at.addAccount({ webhooks: [hook()] });
  await at.tell(account.id, { outcome: 'connected' });
  await at.tell(account.id, { outcome: 'handed_over', metadata_match: null });
  await at.tell(account.id, { outcome: 'disconnected', client_id: 'world-2', metadata_match: null });
  await at.startTestWorker();
  await waitFor(async () => (await statusOf(account.id)).join() === 'sent');
  expect(JSON.parse(at.receiver.received[0]?.body ?? '').data.events).toMatchObject([
    { event: 'disconnect', clientId: 'world-2' },
  ]);
});

it('the operator hears of the worlds of all accounts, in one message, and of nobody’s account', async () => {
  const [one, other] = [await at.addAccount({}), await at.addAccount({})];
  await at.startTestWorker({
    operatorWebhookUrl: `${at.receiver.url}/operator`,
    operatorWebhookKind: 'mattermost',
    operatorEmail: 'ops@example.org',
    operatorBatchSeconds: 1,
  });
  await at.tell(one.id, { world_title: 'One @all' });
  await at.tell(other.id, { world_title: 'Other', outcome: 'duplicate' });
  await at.db
    .insertInto('notices')
    .values({
      accountId: one.id,
      source: 'audit_log',
      record: JSON.stringify({
        event: 'password.changed',
        outcome: 'ok',
        detail: {},
        at: new Date().toISOString(),
      }),
    })
    .execute();
  await waitFor(() => at.receiver.received.length === 1 && at.mailServer.mails.length === 1);
  const [{ path, body } = { path: '', body: '' }] = at.receiver.received;
  expect(path).toBe('/operator');
  expect(JSON.parse(body).text).toMatch(
    /One @\u200Ball in Firefox on Linux connected.*\n.*\n- Other in .* was refused/,
  );
  expect(body).not.toContain('password');
  expect(at.mailServer.mails[0]?.to).toBe('ops@example.org');
});
