import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '@tabletop-relay/notifications';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { keepResets } from '../keep-resets.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const mails: MailMessage[] = [];
let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    sendMail: keepResets(mails),
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const withKey = (key: string, path = '/clients', at = url) =>
  call(at, 'GET', path, { headers: { 'x-api-key': key } });

describe('a forgotten password', () => {
  async function askForReset(email: string): Promise<string> {
    mails.length = 0;
    expect((await call(url, 'POST', '/auth/forgot-password', { body: { email } })).status).toBe(200);
    await expect.poll(() => mails.length).toBe(1);
    return /#(trr_\w+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  }
  const reset = (token: string, password = 'vexed otter piano') =>
    call(url, 'POST', '/auth/reset-password', { body: { token, password } });

  it('is replaced by a mailed link, once; sessions end, and the first time asks for rotation', async () => {
    const account = await createAccount(url);
    const key = await account.createKey();
    const token = await askForReset(account.email);
    expect(mails[0]?.to).toBe(account.email);
    expect((await reset(token)).status).toBe(200);
    expect(await reset(token)).toMatchObject({ status: 400, body: { errors: [{ field: 'token' }] } });
    expect((await account.as('GET', '/auth/account')).status).toBe(401);
    const body = { email: account.email, password: 'vexed otter piano' };
    const login = await call(url, 'POST', '/auth/login', { body });
    expect(login).toMatchObject({ status: 200, body: { rotationRequired: true } });
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    const rotated = await call(url, 'POST', '/auth/regenerate-key', { body });
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
    // The address is proven now: the second reset leaves the keys alone.
    expect((await reset(await askForReset(account.email), 'vexed otter organ')).status).toBe(200);
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
  });

  it('is replaced by one of ten uses of the link at once', async () => {
    const account = await createAccount(url);
    const token = await askForReset(account.email);
    const tries = Array.from({ length: 10 }, (_, index) => `vexed otter piano ${index}`);
    const answers = await Promise.all(tries.map((password) => reset(token, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const winner = tries[answers.findIndex(({ status }) => status === 200)];
    const login = { email: account.email, password: winner };
    expect((await call(url, 'POST', '/auth/login', { body: login })).status).toBe(200);
  });

  it('expires after an hour', async () => {
    const account = await createAccount(url);
    const token = await askForReset(account.email);
    await cluster.db
      .updateTable('passwordResets')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('accountId', '=', account.accountId)
      .execute();
    expect((await reset(token)).status).toBe(400);
  });

  it('of an address that has no account gets the same answer and no mail', async () => {
    const account = await createAccount(url);
    mails.length = 0;
    const ask = (email: string) => call(url, 'POST', '/auth/forgot-password', { body: { email } });
    const unknown = await ask('nobody@example.org');
    const known = await ask(account.email);
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    await expect.poll(() => mails.map((mail) => mail.to)).toEqual([account.email]);
  });
});
