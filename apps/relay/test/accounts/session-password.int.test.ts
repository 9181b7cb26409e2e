import { bearer, call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const wrong = 'not the password';
const newPassword = 'vexed otter piano';

let cluster: TestInstances;
beforeAll(async () => {
  cluster = await startInstances({ count: 2, config: { trustedProxies: ['127.0.0.1/32'] } });
});
afterAll(() => cluster.stop());

const newAccount = () => createAccount(cluster.instances[0].url);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

let tries = 0;
/** As somebody with the session, each time from another address, on one instance after the other. */
function withSession(token: string, method: string, path: string, body: object): Promise<Answer> {
  const url = cluster.instances[tries % 2]?.url as string;
  const headers = { ...bearer(token), 'x-forwarded-for': `192.0.2.${tries++ % 250}` };
  return call(url, method, path, { headers, body });
}

const change = (token: string, currentPassword: string) =>
  withSession(token, 'POST', '/auth/change-password', { currentPassword, newPassword });

async function guess(account: TestAccount, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < times; i++) answers.push(await change(account.sessionToken, wrong));
  return answers;
}

async function failedSignIns(account: TestAccount): Promise<number> {
  const rows = await cluster.db
    .selectFrom('auditLog')
    .select('id')
    .where('accountId', '=', account.accountId)
    .where('event', '=', 'login.failed')
    .execute();
  return rows.length;
}

describe('a session in which wrong passwords are given', () => {
  it('is refused all passwords after ten, from wherever and whatever for, and the person signs in anew', async () => {
    const account = await newAccount();
    expect(statuses(await guess(account, 10))).toEqual(Array<number>(10).fill(401));
    const refused = [
      await change(account.sessionToken, wrong),
      await change(account.sessionToken, account.password),
      await withSession(account.sessionToken, 'DELETE', '/auth/account', { password: account.password }),
      await withSession(account.sessionToken, 'POST', '/auth/second-factors/totp', {
        password: account.password,
      }),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000);
    }
    expect((await account.as('GET', '/auth/account')).status).toBe(200);
    const { email, password } = account;
    const signedIn = await call(cluster.instances[0].url, 'POST', '/auth/login', {
      body: { email, password },
    });
    expect(signedIn.status).toBe(200);
    expect((await change(String(signedIn.body['sessionToken']), password)).status).toBe(200);
  });

  it('has ten looked at where many are given at once', async () => {
    const account = await newAccount();
    const answers = await Promise.all(Array.from({ length: 30 }, () => change(account.sessionToken, wrong)));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(20);
  });

  it('is in the audit log, and counts as failed sign-ins of the account', async () => {
    const account = await newAccount();
    await guess(account, 3);
    await expect.poll(() => failedSignIns(account)).toBe(3);
    const { body } = await account.as('GET', '/auth/sessions');
    const [session] = body['items'] as { id: string }[];
    const counts = await cluster.db
      .selectFrom('signInFailures as own')
      .innerJoin('signInFailures as all', 'all.accountHmac', 'own.accountHmac')
      .where('own.source', '=', `session ${session?.id}`)
      .select(['all.source', 'all.failures'])
      .orderBy('all.source')
      .execute();
    expect(counts).toEqual([
      { source: '', failures: 3 },
      { source: `session ${session?.id}`, failures: 3 },
    ]);
  });

  it('begins anew after a right one', async () => {
    const account = await newAccount();
    await guess(account, 9);
    expect((await change(account.sessionToken, account.password)).status).toBe(200);
    expect(statuses(await guess(account, 10))).toEqual(Array<number>(10).fill(401));
  });
});

it('strangers who fail to sign in use up nothing of a session', async () => {
  const account = await newAccount();
  for (let i = 0; i < 12; i++) {
    const headers = { 'x-forwarded-for': `198.51.100.${i % 4}` };
    const body = { email: account.email, password: wrong };
    await call(cluster.instances[0].url, 'POST', '/auth/login', { headers, body });
  }
  expect((await change(account.sessionToken, account.password)).status).toBe(200);
});
