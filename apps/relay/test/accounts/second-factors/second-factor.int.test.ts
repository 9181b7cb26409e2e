import { addTotp, call, codeOf, createAccount, eventsTold, sendTwice } from '@tabletop-relay/testing/scenes';
import type { TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
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
      ['DELETE', '/auth/sessions/none', { password }],
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
  it('are ten, stand in for a factor once each, and their use is audited and told', async () => {
    expect(new Set(totp.recoveryCodes).size).toBe(10);
    const [code = ''] = totp.recoveryCodes;
    const send = (part: object) => login(account, part);
    expect((await sendTwice(send, () => ({ method: 'recovery', code: code.toLowerCase() }))).status).toBe(
      200,
    );
    expect((await sendTwice(send, () => ({ method: 'recovery', code }))).status).toBe(401);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await eventsTold(cluster.db, account.accountId)).toContain('recovery_code.used');
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
