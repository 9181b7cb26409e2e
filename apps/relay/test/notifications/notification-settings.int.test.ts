import { startMailServer, startWebhookReceiver } from '@tabletop-relay/testing';
import type { MailServer, WebhookReceiver } from '@tabletop-relay/testing';
import { call, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { createSmtpMail } from '@tabletop-relay/notifications';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let receiver: WebhookReceiver;
let mailServer: MailServer;
let account: TestAccount;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mailServer = await startMailServer();
  cluster = await startInstances({
    config: { outboundAllow: ['127.0.0.1'], smtpUrl: mailServer.url, publicUrl: 'https://relay.example' },
    sendMail: createSmtpMail(() => mailServer.url, 'Relay <relay@example.org>'),
  });
  url = cluster.instances[0].url;
});
afterAll(async () => {
  await cluster.stop();
  await receiver.stop();
  await mailServer.stop();
});
beforeEach(async () => {
  account = await createAccount(url);
  receiver.received.length = 0;
});

const events = {
  connect: true,
  disconnect: false,
  metadataMismatch: true,
  duplicateRejected: true,
  security: true,
};
const wanted = { events, webhooks: [] as object[], email: { enabled: true }, batchSeconds: 30 };
const hook = (part: object = {}) => ({ kind: 'standard', url: `${receiver.url}/secret-path`, ...part });
const set = (part: object = {}, own = account) =>
  own.as('PUT', '/auth/notification-settings', { ...wanted, ...part });

interface Shown {
  id: string;
  secret?: string;
}

async function setHook(part: object = {}): Promise<Shown> {
  const { status, body } = await set({ webhooks: [hook(part)] });
  expect(status).toBe(200);
  return (body['webhooks'] as [Shown])[0];
}

describe('the settings', () => {
  it('tell an account that set nothing of everything, by mail', async () => {
    expect((await account.as('GET', '/auth/notification-settings')).body).toEqual({
      events: { ...events, disconnect: true },
      webhooks: [],
      email: { enabled: true, available: true },
      batchSeconds: 60,
    });
  });

  it('are kept as they are set, and a secret is shown once', async () => {
    const quietHours = { from: '22:30', to: '07:00', timeZone: 'Europe/Berlin' };
    const first = await set({ quietHours, webhooks: [hook(), hook({ kind: 'discord' })] });
    const [standard, discord] = first.body['webhooks'] as Shown[];
    expect(standard?.secret).toMatch(/^whsec_/);
    expect(discord).not.toHaveProperty('secret');
    const shown = (await account.as('GET', '/auth/notification-settings')).body;
    expect(shown).toMatchObject({ events, quietHours, batchSeconds: 30 });
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    const { rows } = { rows: await cluster.db.selectFrom('webhooks').selectAll().execute() };
    expect(JSON.stringify(rows)).not.toMatch(/secret-path|whsec_/);
    const again = await set({ webhooks: [hook({ id: standard?.id })] });
    expect(again.body['webhooks']).toMatchObject([{ id: standard?.id, enabled: true }]);
    expect(JSON.stringify(again.body)).not.toContain('whsec_');
    expect(await eventsTold(cluster.db, account.accountId)).toContain('notification_settings.changed');
  });

  it('name a time zone in one way, however it was spelled', async () => {
    for (const timeZone of ['Europe/Berlin', 'eUROPE/bERLIN', 'europe/berlin']) {
      const { body } = await set({ quietHours: { from: '22:30', to: '07:00', timeZone } });
      expect(body['quietHours']).toMatchObject({ timeZone: 'Europe/Berlin' });
    }
  });

  it.each([
    [{ webhooks: [{ kind: 'slack', url: 'http://10.0.0.1/' }] }, 'webhooks[0].url'],
    [{ webhooks: [{ kind: 'slack', url: 'http://169.254.169.254/latest' }] }, 'webhooks[0].url'],
    [{ webhooks: [{ kind: 'slack', url: 'http://[::ffff:10.0.0.1]/' }] }, 'webhooks[0].url'],
    [{ webhooks: [{ kind: 'slack', url: 'http://8.8.8.8/' }] }, 'webhooks[0].url'],
    [{ webhooks: [{ kind: 'slack', url: 'https://nothing.invalid/' }] }, 'webhooks[0].url'],
    [{ webhooks: [{ id: 'nobody', kind: 'slack', url: 'http://127.0.0.1/' }] }, 'webhooks[0].id'],
    [{ quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } }, 'quietHours.timeZone'],
    [{ batchSeconds: 9 }, 'batchSeconds'],
    [{ batchSeconds: undefined }, 'batchSeconds'],
  ])('refuse %j', async (part, field) => {
    const { status, body } = await set(part);
    expect([status, body['errors']]).toMatchObject([400, [{ field }]]);
  });

  it('keep a webhook off that was switched off, until somebody switches it on', async () => {
    const { id } = await setHook();
    await cluster.db
      .updateTable('webhooks')
      .set({ enabled: false, switchedOffAt: new Date(), failingSince: new Date() })
      .where('id', '=', id)
      .execute();
    expect((await set({ webhooks: [hook({ id })] })).body['webhooks']).toMatchObject([{ enabled: false }]);
    expect((await set({ webhooks: [hook({ id, enabled: true })] })).body['webhooks']).toMatchObject([
      { enabled: true, switchedOffAt: null, failingSince: null },
    ]);
  });

  it('of one account hold nothing of another', async () => {
    const { id } = await setHook();
    const other = await createAccount(url);
    expect((await set({ webhooks: [hook({ id })] }, other)).status).toBe(400);
    expect((await other.as('POST', '/auth/notification-settings/test', { webhookId: id })).status).toBe(404);
  });
});

describe('the test button', () => {
  it('shows what went out and what the receiver said, with no redirect followed', async () => {
    const { id } = await setHook();
    receiver.answer = (response) => response.writeHead(418, { location: '/other' }).end('I am a teapot');
    const { status, body } = await account.as('POST', '/auth/notification-settings/test', { webhookId: id });
    expect([status, body]).toMatchObject([200, { delivered: false, status: 418, answer: 'I am a teapot' }]);
    expect(body['sent']).toBe(receiver.received[0]?.body);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
  });

  it('mails confirmed addresses only', async () => {
    const test = () => account.as('POST', '/auth/notification-settings/test', {});
    expect((await test()).status).toBe(409);
    await confirm(account);
    expect((await test()).body).toMatchObject({ delivered: true, status: 250 });
    expect(mailServer.mails.at(-1)).toMatchObject({
      to: account.email,
      source: expect.stringContaining('This is a test of your notifications') as string,
    });
  });
});

async function confirm(own: TestAccount): Promise<void> {
  await expect.poll(() => mailServer.mails.some(({ to }) => to === own.email)).toBe(true);
  const { source } = mailServer.mails.findLast(({ to }) => to === own.email) ?? { source: '' };
  const token = /confirm-email#(trr_\w+)/.exec(source)?.[1];
  expect(await call(url, 'POST', '/auth/confirm-email', { body: { token } })).toMatchObject({ status: 200 });
}

describe('a confirmation', () => {
  it('comes by the link that a new account is mailed, and works once', async () => {
    await confirm(account);
    expect((await account.as('GET', '/auth/account')).body).toMatchObject({ emailConfirmed: true });
    const { source } = mailServer.mails.findLast(({ to }) => to === account.email) ?? { source: '' };
    const token = /confirm-email#(trr_\w+)/.exec(source)?.[1];
    expect((await call(url, 'POST', '/auth/confirm-email', { body: { token } })).status).toBe(400);
    expect((await account.as('POST', '/auth/confirm-email/send')).status).toBe(409);
  });

  it('can be asked for again, with three links open at most; a reset’s link confirms nothing here', async () => {
    expect((await account.as('POST', '/auth/confirm-email/send')).status).toBe(200);
    expect((await account.as('POST', '/auth/confirm-email/send')).status).toBe(200);
    expect((await account.as('POST', '/auth/confirm-email/send')).status).toBe(409);
    await call(url, 'POST', '/auth/forgot-password', { body: { email: account.email } });
    const resetLink = () =>
      mailServer.mails.map(({ source }) => /reset-password#(trr_\w+)/.exec(source)?.[1]).find(Boolean);
    await expect.poll(resetLink).toBeDefined();
    const used = await call(url, 'POST', '/auth/confirm-email', { body: { token: resetLink() } });
    expect(used.status).toBe(400);
    const { source } = mailServer.mails.findLast(({ to }) => to === account.email) ?? { source: '' };
    const confirmLink = /confirm-email#(trr_\w+)/.exec(source)?.[1] ?? 'none';
    const body = { token: confirmLink, password: 'correct horse battery staple' };
    expect((await call(url, 'POST', '/auth/reset-password', { body })).status).toBe(400);
  });
});

describe('the list', () => {
  it('shows what was sent and what failed; each can be sent again by its owner alone', async () => {
    const row = { accountId: account.accountId, target: 'x', kind: 'slack', label: 'hooks.example' } as const;
    const at = new Date().toISOString();
    const told = [
      { event: 'connect', sentence: 'A connected.', clientId: 'a', count: 2, firstAt: at, lastAt: at },
    ];
    const id = `${account.accountId}x`;
    await cluster.db
      .insertInto('notifications')
      .values({
        ...row,
        id,
        status: 'failed',
        events: JSON.stringify(told),
        eventCount: 2,
        nextTryAt: new Date(),
        tries: 12,
        triedSince: new Date(0),
        answeredAt: new Date(),
        answerStatus: 503,
        answer: 'closed',
      })
      .execute();
    const list = async (query = '') => (await account.as('GET', `/auth/notifications${query}`)).body['items'];
    expect(await list()).toMatchObject([
      {
        id,
        status: 'failed',
        label: 'hooks.example',
        events: told,
        tries: 12,
        answer: { status: 503, text: 'closed' },
      },
    ]);
    expect(await list('?status=sent')).toEqual([]);
    const other = await createAccount(url);
    expect((await other.as('GET', '/auth/notifications')).body['items']).toEqual([]);
    const again = (own: TestAccount) => own.as('POST', `/auth/notifications/${id}/send-again`);
    expect((await again(other)).status).toBe(404);
    expect((await again(account)).status).toBe(200);
    expect(await list('?status=waiting')).toMatchObject([{ id }]);
    expect((await again(account)).status).toBe(409);
  });
});
