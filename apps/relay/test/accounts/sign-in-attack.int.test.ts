import { measureRunningTime } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const wrong = 'not the password';
const trustedProxies = ['127.0.0.1/32'];
const stranger = '203.0.113.1';
const home = '198.51.100.1';

let cluster: TestInstances;
const mails: string[] = [];
beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    config: { trustedProxies, limitLogin: '20 per 15 min' },
    sendMail: ({ text }) => {
      if (text.includes('reset-password#')) mails.push(text);
      return Promise.resolve();
    },
  });
});
afterAll(() => cluster.stop());

interface Try {
  path?: string;
  from?: string;
  cookie?: string;
  at?: TestInstances;
}

let tries = 0;
/** Gives e-mail and password from an address, to one instance after the other. */
function attempt(email: string, password: string, options: Try = {}): Promise<Answer> {
  const { path = '/auth/login', from = home, cookie, at = cluster } = options;
  const url = at.instances[tries++ % at.instances.length]?.url as string;
  const headers = { 'x-forwarded-for': from, ...(cookie === undefined ? {} : { cookie }) };
  return call(url, 'POST', path, { body: { email, password }, headers });
}

async function failTimes(count: number, email: string, options: Try = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await attempt(email, wrong, options));
  return answers;
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const newAccount = () => createAccount(cluster.instances[0].url);
const deviceOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('trd='))
    ?.split(';')[0] as string;

/** Wrong tries from many addresses at once, each again and again until it is stopped. */
function attack(
  email: string,
  addresses: number,
  at: TestInstances,
): { answers: number[]; stop(): Promise<void> } {
  const answers: number[] = [];
  let isOver = false;
  const attackers = Array.from({ length: addresses }, async (_, index) => {
    while (!isOver) answers.push((await attempt(email, wrong, { from: `192.0.2.${index}`, at })).status);
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(attackers);
  };
  return { answers, stop };
}

describe('a stranger who fails to sign in', () => {
  it('must soon wait longer and longer, and the owner elsewhere signs in and rotates at once', async () => {
    const owner = await newAccount();
    const answers = await failTimes(6, owner.email, { from: stranger });
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers[5]?.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await attempt(owner.email, owner.password)).status).toBe(200);
    const rotated = await attempt(owner.email, owner.password, { path: '/auth/regenerate-key' });
    expect(rotated.status).toBe(200);
    expect((await attempt(owner.email, owner.password, { from: stranger })).status).toBe(429);
  });

  it('reads the same where the e-mail address is nobody’s', async () => {
    const owner = await newAccount();
    const details = async (email: string) =>
      (await failTimes(6, email, { from: '203.0.113.2' })).map(({ body }) => [
        body['status'],
        body['detail'],
      ]);
    expect(await details(`nobody-${owner.email}`)).toEqual(await details(owner.email));
  });

  it('has spent the address after 20 failures, which right passwords do not spend', async () => {
    const owner = await newAccount();
    const from = '203.0.113.3';
    for (let i = 0; i < 22; i++)
      expect((await attempt(owner.email, owner.password, { from })).status).toBe(200);
    for (let i = 0; i < 20; i++) {
      expect((await attempt(`nobody-${i}-${owner.email}`, wrong, { from })).status).toBe(401);
    }
    const refused = await attempt(owner.email, owner.password, { from });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-limit')).toBe('20');
    expect((await attempt(owner.email, owner.password)).status).toBe(200);
  });
});

describe('a password reset by mail', () => {
  it('clears what counts against the account, for the address that failed too', async () => {
    const owner = await newAccount();
    await failTimes(5, owner.email);
    expect((await attempt(owner.email, owner.password)).status).toBe(429);
    const url = cluster.instances[0].url;
    await call(url, 'POST', '/auth/forgot-password', { body: { email: owner.email } });
    await expect.poll(() => mails.length).toBe(1);
    const token = /#(trr_\w+)/.exec(mails[0] as string)?.[1];
    const password = 'a password by mail';
    expect((await call(url, 'POST', '/auth/reset-password', { body: { token, password } })).status).toBe(200);
    expect((await attempt(owner.email, password)).status).toBe(200);
  });
});

describe('a device on which the account was signed in', () => {
  let owner: TestAccount;
  let device: string;
  beforeAll(async () => {
    owner = await newAccount();
    device = deviceOf(await attempt(owner.email, owner.password));
  });

  it('is let in from where strangers fail, and is known by a cookie that signs nobody in', async () => {
    const from = '203.0.113.4';
    await failTimes(5, owner.email, { from });
    expect((await attempt(owner.email, owner.password, { from })).status).toBe(429);
    expect((await attempt(owner.email, owner.password, { from, cookie: device })).status).toBe(200);
    const headers = { cookie: device };
    expect((await call(cluster.instances[0].url, 'GET', '/auth/account', { headers })).status).toBe(401);
  });

  it('is no stranger’s way into another account', async () => {
    const other = await newAccount();
    const from = '203.0.113.5';
    await failTimes(5, other.email, { from, cookie: device });
    expect((await attempt(other.email, other.password, { from, cookie: device })).status).toBe(429);
  });

  it('is limited itself, and ends with the password', async () => {
    const from = '203.0.113.6';
    const answers = await failTimes(15, owner.email, { from, cookie: device });
    expect(statuses(answers)).toEqual([...Array<number>(15).fill(401)]);
    expect((await attempt(owner.email, owner.password, { from, cookie: device })).status).toBe(429);
    // One more doubles the wait: the password is changed within it.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(statuses(await failTimes(1, owner.email, { from, cookie: device }))).toEqual([401]);
    const changed = await owner.as('POST', '/auth/change-password', {
      currentPassword: owner.password,
      newPassword: 'another password',
    });
    const login = (cookie: string) => attempt(owner.email, 'another password', { from, cookie });
    expect((await login(device)).status).toBe(429);
    expect((await login(deviceOf(changed))).status).toBe(200);
  });
});

describe('while an account is under attack from many addresses', () => {
  let attacked: TestInstances;
  const waitMs = 2500;
  beforeAll(async () => {
    attacked = await startInstances({
      count: 2,
      databaseUrl: cluster.databaseUrl,
      config: { ...defaultLimits, trustedProxies, signInWaitMs: waitMs, signInFailuresPerPair: 1000 },
    });
  });
  afterAll(() => attacked.stop());

  it('a right password from an address nobody knows gets in a second after the wait at the latest, and a known device out of turn', async () => {
    const owner = await newAccount();
    const device = deviceOf(await attempt(owner.email, owner.password));
    const { answers, stop } = attack(owner.email, 16, attacked);
    try {
      await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(24);
      for (const path of ['/auth/login', '/auth/regenerate-key']) {
        const ranMs = measureRunningTime();
        const answer = await attempt(owner.email, owner.password, {
          path,
          from: `198.51.100.${tries % 250}`,
          at: attacked,
        });
        expect(answer.status).toBe(200);
        expect(ranMs()).toBeLessThan(waitMs + 1_000);
      }
      const guessed = answers.filter((status) => status === 401).length;
      const known = await attempt(owner.email, owner.password, { cookie: device, at: attacked });
      expect(known.status).toBe(200);
      // Fewer guesses than that were heard meanwhile: it did not wait for their turns.
      expect(answers.filter((status) => status === 401).length - guessed).toBeLessThan(8);
    } finally {
      await stop();
    }
  });
});

describe('sixty strangers who hammer', () => {
  it.each([
    ['from sixty addresses', (index: number) => `192.0.2.${index}`],
    ['from one address', () => '192.0.2.100'],
  ])('%s cost none of twelve people their sign-in', async (_name, addressOf) => {
    const crowded = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { trustedProxies },
    });
    const people = await Promise.all(Array.from({ length: 12 }, newAccount));
    let isOver = false;
    let guesses = 0;
    const strangers = Array.from({ length: 60 }, async (_, index) => {
      while (!isOver) {
        const email = `${randomBytes(4).toString('hex')}@example.org`;
        await attempt(email, wrong, { from: addressOf(index), at: crowded });
        guesses++;
      }
    });
    try {
      await expect.poll(() => guesses, { timeout: 20_000 }).toBeGreaterThan(30);
      const answers = await Promise.all(
        people.map(({ email, password }, index) =>
          attempt(email, password, { from: `198.51.100.${index}`, at: crowded }),
        ),
      );
      expect(statuses(answers)).toEqual(Array<number>(12).fill(200));
    } finally {
      isOver = true;
      await Promise.all(strangers);
      await crowded.stop();
    }
  });
});
