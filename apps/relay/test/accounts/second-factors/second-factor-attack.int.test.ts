import { addTotp, call, createAccount, sendTwice } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

let cluster: TestInstances;
const mails: string[] = [];

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    config: {
      trustedProxies: ['127.0.0.1/32'],
      // Nobody waits in line here: the second factor's own bound is what is tested.
      signInFailuresPerAccount: 1_000_000,
    },
    sendMail: ({ text }) => Promise.resolve(void mails.push(text)),
  });
});
afterAll(() => cluster.stop());

let owner: TestAccount;
let totp: TestTotp;

beforeEach(async () => {
  owner = await createAccount(cluster.instances[0].url);
  totp = await addTotp(owner, cluster.db);
});

let sent = 0;
function login(part: object, headers: Record<string, string>): Promise<Answer> {
  const url = cluster.instances[sent++ % 2]?.url ?? '';
  const body = { email: owner.email, password: owner.password, ...part };
  return call(url, 'POST', '/auth/login', { body, headers });
}

const from = (address: string) => ({ 'x-forwarded-for': address });
const home = from('198.51.100.1');

type Method = 'totp' | 'recovery';
/** Somebody who knows the password, from an address of which nothing failed yet, with a challenge of its own. */
async function guess(index: number, method: Method = 'totp'): Promise<Answer> {
  const headers = from(`203.0.113.${index}`);
  const asked = await login({}, headers);
  if (asked.status !== 401) return asked;
  const code = method === 'totp' ? String(100_000 + index) : `${'AAAA-'.repeat(5)}${1000 + index}`;
  return await login({ secondFactor: { method, challenge: asked.body['challenge'], code } }, headers);
}

const guessTimes = (count: number, method?: Method) =>
  Promise.all(Array.from({ length: count }, (_, index) => guess(index + 1, method)));
const heardOf = (answers: readonly Answer[]) =>
  answers.filter(({ body }) => body['code'] === 'second_factor_invalid').length;
const byTotp = async () => ({ method: 'totp', code: await totp.newCode() });

describe('a guesser of second factors who knows the password', () => {
  it('is heard ten times an hour, from however many addresses and at once', async () => {
    const answers = await guessTimes(30);
    expect(heardOf(answers)).toBe(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    // A right one is not looked at either.
    expect((await sendTwice((part) => login(part, from('203.0.113.99')), byTotp)).status).toBe(429);
  });

  it('does not keep the owner out of a device on which the owner was signed in', async () => {
    const signedIn = await sendTwice((part) => login(part, home), byTotp);
    const device = signedIn.headers.getSetCookie().find((cookie) => cookie.startsWith('trd='));
    await guessTimes(12);
    const headers = { ...home, cookie: device?.split(';')[0] ?? '' };
    expect((await sendTwice((part) => login(part, headers), byTotp)).status).toBe(200);
  });

  it.each<Method>(['totp', 'recovery'])(
    'by %s does not keep out the owner who has a recovery code, wherever the owner is',
    async (method) => {
      await guessTimes(12, method);
      const byRecovery = () => ({ method: 'recovery', code: totp.recoveryCodes[0] });
      expect((await sendTwice((part) => login(part, home), byRecovery)).status).toBe(200);
    },
  );

  it('of recovery codes does not keep out the owner who has the app, and waits at an address like any other', async () => {
    await guessTimes(12, 'recovery');
    expect((await sendTwice((part) => login(part, home), byTotp)).status).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await guess(201, 'recovery')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('gains nothing by a reset of the password', async () => {
    await guessTimes(10);
    const url = cluster.instances[0].url;
    mails.length = 0;
    await call(url, 'POST', '/auth/forgot-password', { body: { email: owner.email } });
    await expect.poll(() => mails.join()).toContain('reset-password#');
    const token = /#(\S+)/.exec(mails.find((text) => text.includes('reset-password#')) ?? '')?.[1];
    const password = 'a new password, long enough';
    expect((await call(url, 'POST', '/auth/reset-password', { body: { token, password } })).status).toBe(200);
    owner = { ...owner, password };
    expect((await sendTwice((part) => login(part, home), byTotp)).status).toBe(429);
  });

  it('leaves a record of each guess with the owner', async () => {
    await guess(1);
    await expect
      .poll(async () => (await owner.as('GET', '/auth/audit-log')).body['items'])
      .toContainEqual(
        expect.objectContaining({
          event: 'second_factor.failed',
          outcome: 'refused',
          detail: { method: 'totp' },
        }),
      );
  });

  it('waits longer and longer at one address, though its passwords are right', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await guess(200)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

describe('a stranger who does not know the password', () => {
  it('cannot use up the second factors of the owner', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        login(
          { password: 'not the password', secondFactor: { method: 'totp', challenge: 'x', code: '123456' } },
          from(`203.0.113.${index}`),
        ),
      ),
    );
    expect((await sendTwice((part) => login(part, home), byTotp)).status).toBe(200);
  });
});

describe('what is kept of used challenges', () => {
  it('has a bound per account, whoever races', async () => {
    const config = { secondFactorAnswersPerAccount: 5, trustedProxies: ['127.0.0.1/32'] };
    const small = await startInstances({ count: 2, config });
    try {
      const { url } = small.instances[0];
      const own = await createAccount(url);
      const app = await addTotp(own, small.db);
      const send = (part: object, at = url, headers = {}) =>
        call(at, 'POST', '/auth/login', {
          body: { email: own.email, password: own.password, ...part },
          headers,
        });
      const challenges = await Promise.all(
        Array.from({ length: 10 }, async () => (await send({})).body['challenge']),
      );
      const code = await app.newCode();
      const answers = await Promise.all(
        challenges.map((challenge, i) =>
          send({ secondFactor: { method: 'totp', challenge, code } }, small.instances[i % 2]?.url),
        ),
      );
      expect(answers.map(({ status }) => status)).toContain(429);
      const rows = await small.db
        .selectFrom('usedTokens')
        .selectAll()
        .where('accountId', '=', own.accountId)
        .execute();
      expect(rows).toHaveLength(5);
      // Nobody can guess a recovery code, so it needs no place there: strangers have taken all.
      const byRecovery = () => ({ method: 'recovery', code: app.recoveryCodes[0] });
      expect((await sendTwice((part) => send(part, url, home), byRecovery)).status).toBe(200);
    } finally {
      await small.stop();
    }
  });
});

describe('a reset by mail', () => {
  it('opens no session and leaves the second factor', async () => {
    const url = cluster.instances[0].url;
    mails.length = 0;
    await call(url, 'POST', '/auth/forgot-password', { body: { email: owner.email } });
    await expect.poll(() => mails.join()).toContain('reset-password#');
    const token = /#(\S+)/.exec(mails.find((text) => text.includes('reset-password#')) ?? '')?.[1];
    const password = 'a new password, long enough';
    const reset = await call(url, 'POST', '/auth/reset-password', { body: { token, password } });
    expect(reset).toMatchObject({ status: 200, body: {} });
    expect(reset.headers.get('set-cookie')).toBeNull();
    owner = { ...owner, password };
    const asked = await login({}, home);
    expect(asked.body).toMatchObject({ code: 'second_factor_required' });
    expect((await sendTwice((part) => login(part, home), byTotp)).status).toBe(200);
  });
});
