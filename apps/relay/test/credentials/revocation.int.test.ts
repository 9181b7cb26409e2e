import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectFakeModule, measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import type { MailMessage } from '@tabletop-relay/notifications';
import { keepResets } from '../keep-resets.ts';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';

/** What a right that was taken away may still be used for. */
const withinMs = 1_000;

describe.each(drivers)('with the %s drivers', (driver) => {
  let two: TwoInstances;
  let account: TestAccount;
  let admin: TestAccount;
  const mails: MailMessage[] = [];

  beforeAll(async () => {
    two = await startTwo(driver, { sendMail: keepResets(mails) });
    account = await createAccount(two.first.url);
    admin = await createAccount(two.first.url);
    await makeAdministrator(two.cluster.db, admin);
  });
  afterAll(() => two.stop());

  /** A world at the instance that the change is not made at, and the id of its token. */
  async function connectFar(
    owner: TestAccount,
  ): Promise<{ module: FakeModule; pairing: Pairing; id: string }> {
    const pairing = await owner.pair();
    const module = await connectModule(two.second.url, pairing, () => ({ users: [] }));
    const { body } = await owner.as('GET', '/auth/connection-tokens?limit=100');
    const { id } = (body['items'] as { id: string; clientId: string }[]).find(
      ({ clientId }) => clientId === pairing.clientId,
    ) ?? { id: '' };
    return { module, pairing, id };
  }

  async function expectClosed(module: FakeModule, code: number, change: () => Promise<{ status: number }>) {
    const ranMs = measureRunningTime();
    expect((await change()).status).toBe(200);
    expect(await module.closed).toMatchObject({ code });
    expect(ranMs()).toBeLessThan(withinMs);
  }

  it('a revoked token closes its socket on another instance with 4002, and no other', async () => {
    const { module, pairing, id } = await connectFar(account);
    const bystander = await connectFar(account);
    await expectClosed(module, 4002, () => account.as('DELETE', `/auth/connection-tokens/${id}`));
    const again = await connectFakeModule({ url: two.second.url, ...pairing });
    expect(await again.closed).toMatchObject({ code: 4002 });
    expect(bystander.module.socket.readyState).toBe(bystander.module.socket.OPEN);
    await bystander.module.close();
  });

  it('a deleted world closes its socket on another instance with 4002', async () => {
    const { module, pairing } = await connectFar(account);
    await expectClosed(module, 4002, () => account.as('DELETE', `/auth/known-clients/${pairing.clientId}`));
  });

  describe('a token renamed while its world is online', () => {
    const namesOf = async (pairing: Pairing) => {
      const apiKey = account.masterKey;
      const list = await call(two.first.url, 'GET', '/clients', { headers: { 'x-api-key': apiKey } });
      const known = await account.as('GET', '/auth/known-clients?limit=100');
      return [list.body['clients'], known.body['items']].map((clients) =>
        (clients as { clientId: string; tokenName: string; isOnline: boolean }[])
          .filter(({ clientId }) => clientId === pairing.clientId)
          .map(({ tokenName, isOnline }) => [tokenName, isOnline]),
      );
    };

    it('goes by its new name, and keeps it offline', async () => {
      const { module, pairing, id } = await connectFar(account);
      const renamed = await account.as('PATCH', `/auth/connection-tokens/${id}`, { name: 'The attic' });
      expect(renamed.status).toBe(200);
      expect(await namesOf(pairing)).toEqual([[['The attic', true]], [['The attic', true]]]);
      await module.close();
      await expect.poll(() => namesOf(pairing)).toEqual([[['The attic', false]], [['The attic', false]]]);
    });

    it('keeps its new name offline, though its socket closes before the news of it has come', async () => {
      const { module, pairing, id } = await connectFar(account);
      await two.cluster.db
        .updateTable('connectionTokens')
        .set({ name: 'The attic' })
        .where('id', '=', id)
        .execute();
      await module.close();
      await expect.poll(() => namesOf(pairing)).toEqual([[['The attic', false]], [['The attic', false]]]);
    });
  });

  it('a narrowed allowlist closes the socket with 4003; widened again it lets the same token in', async () => {
    const { module, pairing, id } = await connectFar(account);
    const allow = (ipAllowlist: string) =>
      account.as('PATCH', `/auth/connection-tokens/${id}`, { ipAllowlist });
    await expectClosed(module, 4003, () => allow('192.0.2.0/24'));
    const refused = await connectFakeModule({ url: two.first.url, ...pairing });
    expect(await refused.closed).toMatchObject({ code: 4003 });
    expect((await allow('192.0.2.0/24, 127.0.0.0/8')).status).toBe(200);
    await expect
      .poll(async () => {
        const back = await connectFakeModule({ url: two.second.url, ...pairing });
        const let_in = await Promise.race([
          back.next('auth-success').then(
            () => true,
            () => false,
          ),
          back.closed.then(() => false),
        ]);
        back.cut();
        return let_in;
      })
      .toBe(true);
  });

  it.each([
    ['disabled', 'disable', 'account_disabled'],
    ['asked to rotate', 'force-rotation', 'rotation_required'],
  ])('an account that is %s loses its sockets with 4000 and its keys with 403', async (_name, verb, code) => {
    const blocked = await createAccount(two.first.url);
    const key = await blocked.createKey();
    const { module, pairing } = await connectFar(blocked);
    const ask = (at: string) =>
      call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });
    expect((await ask(two.second.url)).status).toBe(200);
    await expectClosed(module, 4000, () => admin.as('POST', `/admin/accounts/${blocked.accountId}/${verb}`));
    for (const { url } of [two.first, two.second])
      expect(await ask(url)).toMatchObject({ status: 403, body: { code } });
  });

  it('a rotated master key takes everything with it on both instances: keys, tokens, sessions, streams, codes', async () => {
    const own = await createAccount(two.first.url);
    const key = await own.createKey();
    const { module, pairing } = await connectFar(own);
    const pairingCode = (await own.as('POST', '/auth/pairing-codes', {})).body['code'];
    const asked = await call(two.first.url, 'POST', '/auth/key-request', {
      body: { appName: 'Bot', scopes: ['clients:read'] },
    });
    const status = `/auth/key-request/${String(asked.body['code'])}/status`;
    await own.as('POST', `/auth/key-request/${String(asked.body['code'])}/approve`);
    expect(
      (await call(two.first.url, 'POST', '/auth/forgot-password', { body: { email: own.email } })).status,
    ).toBe(200);
    await expect.poll(() => mails.some(({ to }) => to === own.email)).toBe(true);
    const session = { authorization: `Bearer ${own.sessionToken}` };
    const stream = await fetch(`${two.second.url}/auth/events`, {
      headers: { ...session, accept: 'text/event-stream' },
    });
    const streamEnded = stream.text();
    const statuses = async () =>
      await Promise.all(
        [two.first.url, two.second.url].flatMap((at) => [
          ...[key, own.masterKey].map(async (value) => {
            return (await call(at, 'GET', '/clients', { headers: { 'x-api-key': value } })).status;
          }),
          call(at, 'GET', '/auth/account', { headers: session }).then((answer) => answer.status),
        ]),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);

    const { email, password } = own;
    const rotated = await call(two.first.url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    const ranMs = measureRunningTime();
    expect(await module.closed).toMatchObject({ code: 4002 });
    await streamEnded;
    await expect.poll(statuses, { interval: 20 }).toEqual([401, 401, 401, 401, 401, 401]);
    expect(ranMs()).toBeLessThan(withinMs);

    const again = await connectFakeModule({ url: two.second.url, ...pairing });
    expect(await again.closed).toMatchObject({ code: 4002 });
    const pair = { code: pairingCode, worldId: 'w' };
    expect((await call(two.second.url, 'POST', '/auth/pair', { body: pair })).status).toBe(404);
    expect((await call(two.second.url, 'GET', status)).body).toEqual({ status: 'denied' });
    const token = /#(trr_\w+)/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1];
    const reset = { token, password: 'vexed otter piano' };
    expect((await call(two.second.url, 'POST', '/auth/reset-password', { body: reset })).status).toBe(400);
    const { db } = two.cluster;
    for (const table of [
      'apiKeys',
      'connectionTokens',
      'sessions',
      'pairingCodes',
      'passwordResets',
    ] as const) {
      const rows = db.selectFrom(table).select('accountId').where('accountId', '=', own.accountId);
      expect(await rows.execute(), table).toEqual([]);
    }
    const masterKey = String(rotated.body['masterKey']);
    const headers = { 'x-api-key': masterKey };
    expect((await call(two.second.url, 'GET', '/clients', { headers })).status).toBe(200);
  });

  it('a deleted key stops working on another instance, where it was just used', async () => {
    const key = await account.createKey();
    const { body } = await account.as('GET', '/auth/api-keys?limit=1');
    const [{ id } = { id: '' }] = body['items'] as { id: string }[];
    const ask = () => call(two.second.url, 'GET', '/clients', { headers: { 'x-api-key': key } });
    expect((await ask()).status).toBe(200);
    expect((await account.as('DELETE', `/auth/api-keys/${id}`)).status).toBe(200);
    const ranMs = measureRunningTime();
    await expect.poll(async () => (await ask()).status, { interval: 10 }).toBe(401);
    expect(ranMs()).toBeLessThan(withinMs);
  });
});
