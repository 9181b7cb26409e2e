import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../src/accounts/mail/mail.ts';
import { call, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { addTotp, codeOf, makeAdministrator, sendTwice } from '../second-factor.ts';
import type { TestTotp } from '../second-factor.ts';

let cluster: TestInstances;
let url: string;
const mails: MailMessage[] = [];

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    sendMail: (message) => Promise.resolve(void mails.push(message)),
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

let account: TestAccount;
let totp: TestTotp;

beforeEach(async () => {
  account = await createAccount(url);
  totp = await addTotp(account, cluster.db);
});

const login = (own: TestAccount, part: object = {}, at = url) =>
  call(at, 'POST', '/auth/login', { body: { email: own.email, password: own.password, ...part } });

const byTotp = async () => ({ method: 'totp', code: await totp.newCode() });

async function newChallenge(own = account): Promise<unknown> {
  return (await login(own)).body['challenge'];
}

describe('an account with a second factor', () => {
  it('signs in with the password and a code, and with neither alone', async () => {
    const asked = await login(account);
    expect(asked).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required', methods: ['totp', 'recovery'], challenge: expect.any(String) },
    });
    expect(asked.headers.get('set-cookie')).toBeNull();
    const secondFactor = { challenge: asked.body['challenge'], ...(await byTotp()) };
    const wrongPassword = await login(account, { password: 'another password', secondFactor });
    expect(wrongPassword).toMatchObject({ status: 401, body: { code: 'credentials_invalid' } });
    expect(wrongPassword.body).not.toHaveProperty('challenge');
    expect(await login(account, { secondFactor })).toMatchObject({
      status: 200,
      body: { sessionToken: expect.stringMatching(/^trs_/) },
    });
  });

  it('answers a wrong password without a word about its factor', async () => {
    const plain = await createAccount(url);
    const [withFactor, without] = await Promise.all(
      [account, plain].map((own) => login({ ...own, password: 'not the password' })),
    );
    const told = (body: Record<string, unknown>) => ({ ...body, traceId: '' });
    expect(told(withFactor?.body ?? {})).toEqual(told(without?.body ?? {}));
  });

  it('is asked by every endpoint that asks for the password, and an answer is good for that endpoint alone', async () => {
    const { email, password } = account;
    const asks: [string, string, object][] = [
      ['POST', '/auth/login', { email, password }],
      ['POST', '/auth/regenerate-key', { email, password }],
      ['POST', '/auth/change-password', { currentPassword: password, newPassword: 'a new one, long enough' }],
      ['DELETE', '/auth/account', { password }],
      ['POST', '/auth/second-factors/totp', { password }],
      ['DELETE', `/auth/second-factors/${totp.id}`, { password }],
      ['POST', '/auth/second-factors/recovery-codes', { password }],
    ];
    const challenges: unknown[] = [];
    for (const [method, path, body] of asks) {
      const answer = await account.as(method, path, body);
      expect(answer, path).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
      challenges.push(answer.body['challenge']);
    }
    const [first, ...others] = asks;
    for (const [method, path, body] of others) {
      const secondFactor = { method: 'totp', challenge: challenges[0], code: await totp.newCode() };
      const answer = await account.as(method, path, { ...body, secondFactor });
      expect(answer, path).toMatchObject({ status: 401, body: { code: 'second_factor_invalid' } });
    }
    const secondFactor = { method: 'totp', challenge: challenges[0], code: await totp.newCode() };
    expect(
      (await account.as(first?.[0] ?? '', first?.[1] ?? '', { ...first?.[2], secondFactor })).status,
    ).toBe(200);
  });

  it('takes no challenge of another account', async () => {
    const other = await createAccount(url);
    await addTotp(other, cluster.db);
    const challenge = await newChallenge(other);
    const answer = await login(account, { secondFactor: { challenge, ...(await byTotp()) } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'second_factor_invalid' } });
  });

  it('takes a code once, and no code that is older than the last', async () => {
    const code = codeOf(totp.secret, 1);
    const tryWith = async (text: string) =>
      await login(account, {
        secondFactor: { method: 'totp', challenge: await newChallenge(), code: text },
      });
    expect((await tryWith(code)).status).toBe(200);
    expect((await tryWith(code)).body).toMatchObject({ code: 'second_factor_invalid' });
    expect((await tryWith(codeOf(totp.secret))).body).toMatchObject({ code: 'second_factor_invalid' });
  });

  it('takes a code of the step before and after, and none that is further off', async () => {
    const tryStep = async (step: number) => {
      await totp.newCode();
      const challenge = await newChallenge();
      return await login(account, {
        secondFactor: { method: 'totp', challenge, code: codeOf(totp.secret, step) },
      });
    };
    expect((await tryStep(-1)).status).toBe(200);
    expect((await tryStep(1)).status).toBe(200);
    // Three steps: a step of the clock may end in between.
    expect((await tryStep(3)).status).toBe(401);
    expect((await tryStep(-3)).status).toBe(401);
  });

  it('lets one of fifty through that send the same code and challenge at once, over two instances', async () => {
    const challenge = await newChallenge();
    const secondFactor = { challenge, ...(await byTotp()) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        login(account, { secondFactor }, cluster.instances[i % 2]?.url ?? url),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('lets one through that use the same code for different challenges at once', async () => {
    const challenges = await Promise.all(Array.from({ length: 8 }, () => newChallenge()));
    const code = await totp.newCode();
    const answers = await Promise.all(
      challenges.map((challenge, i) =>
        login(
          account,
          { secondFactor: { method: 'totp', challenge, code } },
          cluster.instances[i % 2]?.url ?? url,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('uses a challenge up with a wrong answer, and brings a new one', async () => {
    const challenge = await newChallenge();
    const wrong = await login(account, { secondFactor: { method: 'totp', challenge, code: '000000' } });
    expect(wrong).toMatchObject({
      status: 401,
      body: { code: 'second_factor_invalid', challenge: expect.any(String) },
    });
    expect((await login(account, { secondFactor: { challenge, ...(await byTotp()) } })).status).toBe(401);
    const next = { challenge: wrong.body['challenge'], ...(await byTotp()) };
    expect((await login(account, { secondFactor: next })).status).toBe(200);
  });
});

describe('recovery codes', () => {
  it('are ten, stand in for a factor once each, and their use is audited and mailed', async () => {
    expect(new Set(totp.recoveryCodes).size).toBe(10);
    const [code = ''] = totp.recoveryCodes;
    const send = (part: object) => login(account, part);
    expect((await sendTwice(send, () => ({ method: 'recovery', code: code.toLowerCase() }))).status).toBe(
      200,
    );
    expect((await sendTwice(send, () => ({ method: 'recovery', code }))).status).toBe(401);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({ recoveryCodesLeft: 9 });
    await expect
      .poll(() => mails.map(({ to, text }) => [to, text]))
      .toContainEqual([account.email, expect.stringContaining('A recovery code was used; 9 are left')]);
    const { body } = await account.as('GET', '/auth/audit-log');
    expect(body['items']).toContainEqual(
      expect.objectContaining({ event: 'recovery_code.used', detail: { left: 9 } }),
    );
  });

  it('lets one of fifty through that send the same code at once', async () => {
    const [code = ''] = totp.recoveryCodes;
    const challenges = await Promise.all(Array.from({ length: 8 }, () => newChallenge()));
    const answers = await Promise.all(
      challenges.map((challenge, i) =>
        login(
          account,
          { secondFactor: { method: 'recovery', challenge, code } },
          cluster.instances[i % 2]?.url ?? url,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('are made anew on request, and the old ones work no more', async () => {
    const made = await sendTwice(
      (part) =>
        account.as('POST', '/auth/second-factors/recovery-codes', { password: account.password, ...part }),
      byTotp,
    );
    const fresh = made.body['recoveryCodes'] as string[];
    expect(fresh).toHaveLength(10);
    const tryCode = (code = '') =>
      sendTwice(
        (part) => login(account, part),
        () => ({ method: 'recovery', code }),
      );
    expect((await tryCode(totp.recoveryCodes[0])).status).toBe(401);
    expect((await tryCode(fresh[0])).status).toBe(200);
  });
});

describe('setting up and removing', () => {
  it('asks for the password, and keeps nothing until a code of the app was right', async () => {
    const fresh = await createAccount(url);
    const begin = (password: string) => fresh.as('POST', '/auth/second-factors/totp', { password });
    expect(await begin('not the password')).toMatchObject({
      status: 401,
      body: { code: 'credentials_invalid' },
    });
    const { setup, uri } = (await begin(fresh.password)).body as Record<string, string>;
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    const confirmed = await fresh.as('POST', '/auth/second-factors/totp/confirm', { setup, code: '000000' });
    expect(confirmed).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } });
    expect((await login(fresh)).status).toBe(200);
  });

  it('is good in the session that began it, once', async () => {
    const fresh = await createAccount(url);
    const { password } = fresh;
    const { setup, secret } = (await fresh.as('POST', '/auth/second-factors/totp', { password }))
      .body as Record<string, string>;
    const body = { setup, code: codeOf(secret ?? '') };
    const path = '/auth/second-factors/totp/confirm';
    const elsewhere = { authorization: `Bearer ${String((await login(fresh)).body['sessionToken'])}` };
    expect((await call(url, 'POST', path, { body, headers: elsewhere })).status).toBe(400);
    expect((await account.as('POST', path, body)).status).toBe(400);
    expect((await fresh.as('POST', path, body)).status).toBe(200);
    expect((await fresh.as('POST', path, body)).status).toBe(400);
    // The other session was opened with the password alone.
    expect((await call(url, 'GET', '/auth/account', { headers: elsewhere })).status).toBe(401);
  });

  it('removes the last factor with its recovery codes, and tells the owner', async () => {
    const removed = await sendTwice(
      (part) =>
        account.as('DELETE', `/auth/second-factors/${totp.id}`, { password: account.password, ...part }),
      byTotp,
    );
    expect(removed.status).toBe(200);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({
      items: [],
      recoveryCodesLeft: 0,
    });
    expect((await login(account)).status).toBe(200);
    await expect
      .poll(() => mails.map(({ to, text }) => [to, text]))
      .toContainEqual([
        account.email,
        expect.stringContaining('The second factor “Authenticator app” was removed'),
      ]);
  });

  it('never shows a secret again: not in lists, not in the export, not in a column', async () => {
    const exported = (await account.as('GET', '/auth/export')).body;
    expect(exported).toMatchObject({
      secondFactors: [{ kind: 'totp', name: 'Authenticator app' }],
      recoveryCodesLeft: 10,
    });
    const rows = await cluster.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('accountId', '=', account.accountId)
      .execute();
    const seen = JSON.stringify([exported, rows, (await account.as('GET', '/auth/second-factors')).body]);
    expect(seen).not.toContain(totp.secret);
    expect(JSON.stringify(exported)).not.toContain(rows[0]?.sealedSecret ?? '?');
  });

  it('leaves nothing of a deleted account', async () => {
    const send = (part: object) =>
      account.as('DELETE', '/auth/account', { password: account.password, ...part });
    expect((await sendTwice(send, byTotp)).status).toBe(200);
    for (const table of ['secondFactors', 'recoveryCodes', 'usedTokens'] as const) {
      const rows = await cluster.db
        .selectFrom(table)
        .selectAll()
        .where('accountId', '=', account.accountId)
        .execute();
      expect(rows, table).toEqual([]);
    }
  });

  it('does not reach the factors of another account', async () => {
    const other = await createAccount(url);
    const path = `/auth/second-factors/${totp.id}`;
    expect((await other.as('PATCH', path, { name: 'mine' })).status).toBe(404);
    expect((await other.as('DELETE', path, { password: other.password })).status).toBe(404);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({
      items: [{ name: 'Authenticator app' }],
    });
  });
});

describe('an administrator without a factor', () => {
  it('may only set one up, read the account and sign out', async () => {
    const admin = await createAccount(url);
    await cluster.db
      .updateTable('accounts')
      .set({ isAdministrator: true })
      .where('id', '=', admin.accountId)
      .execute();
    for (const [method, path] of [
      ['GET', '/admin/accounts'],
      ['GET', '/auth/sessions'],
      ['GET', '/auth/api-keys'],
      ['POST', '/auth/pairing-codes'],
      ['GET', '/auth/export'],
      ['GET', '/auth/audit-log'],
    ] as const) {
      expect(await admin.as(method, path), path).toMatchObject({
        status: 403,
        body: { code: 'second_factor_missing' },
      });
    }
    const { email, password } = admin;
    expect(await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } })).toMatchObject({
      status: 403,
      body: { code: 'second_factor_missing' },
    });
    expect((await admin.as('GET', '/auth/account')).body).toMatchObject({ secondFactor: 'missing' });
    expect((await admin.as('GET', '/auth/second-factors')).body).toMatchObject({ required: true });
    await addTotp(admin, cluster.db);
    expect((await admin.as('GET', '/admin/accounts')).status).toBe(200);
    expect((await admin.as('GET', '/auth/account')).body).toMatchObject({ secondFactor: 'set' });
  });

  it('sets one up even while the master key must be rotated', async () => {
    const admin = await createAccount(url);
    await cluster.db
      .updateTable('accounts')
      .set({ rotationRequired: true })
      .where('id', '=', admin.accountId)
      .execute();
    await makeAdministrator(cluster.db, admin);
    expect((await admin.as('GET', '/admin/accounts')).status).toBe(200);
  });
});
