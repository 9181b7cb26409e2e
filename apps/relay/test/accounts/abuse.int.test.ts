import { connectDatabase } from '@tabletop-relay/database';
import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCredentials } from '../../src/accounts/credentials-check.ts';
import { createRecords } from '../../src/records/records.ts';
import { createSignInFailures } from '../../src/accounts/sign-in/sign-in-failures.ts';
import { createSignInGuard } from '../../src/accounts/sign-in/sign-in-guard.ts';
import { createStrangerLines } from '../../src/accounts/sign-in/stranger-lines.ts';
import { createHashing } from '../../src/credentials/passwords/hashing.ts';
import { createPasswords } from '../../src/credentials/passwords/password.ts';
import type { PasswordVisitor } from '../../src/credentials/passwords/password.ts';
import { createSecret } from '../../src/credentials/secret.ts';
import { call, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

/** As browsers send them; `fetch` forbids some of these headers. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
  at = url,
): Promise<{ status: number; body: Record<string, unknown>; setCookie: string[] }> {
  return new Promise((resolve, reject) => {
    const sent = request(at + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text || '{}') as Record<string, unknown>,
          setCookie: response.headers['set-cookie'] ?? [],
        }),
      );
    });
    sent.end(body && JSON.stringify(body));
  });
}

describe('signing in', () => {
  it('verifies a password hash for an unknown address just as for a known one, and reads the same', async () => {
    const db = connectDatabase({ url: cluster.databaseUrl, poolSize: 2, log: { warn: () => {} } });
    const records = createRecords({ db, instanceId: 'test', log: pino({ level: 'silent' }) });
    const real = createPasswords(
      { running: 2, waiting: 8, waitingPerAddress: 8, waitMs: 10_000 },
      createHashing({ log: { info: () => {} } }),
    );
    const verified: (string | undefined)[] = [];
    const secret = 'a secret';
    const failures = createSignInFailures({ db, secret, now: Date.now });
    const deps = {
      db,
      records,
      secret,
      guard: createSignInGuard({
        failures,
        lines: createStrangerLines({ waiting: 10, waitMs: 10_000 }),
        settings: {
          failuresPerPair: 5,
          failuresPerDevice: 5,
          failuresPerAccount: 5,
          placesPerAddress: 5,
          waitMs: 10_000,
          secondFactorFailures: 5,
        },
      }),
      checkSecondFactor: () => Promise.resolve(),
      passwords: {
        ...real,
        verify: (stored: string | undefined, password: string, visitor: PasswordVisitor) => {
          verified.push(stored);
          return real.verify(stored, password, visitor);
        },
      },
    };
    const sender = { ipAddress: '192.0.2.1', userAgent: '' };
    const tryWith = (email: string) =>
      checkCredentials(deps, {
        email,
        password: 'not the password',
        purpose: 'login',
        sender,
        publicUrl: '',
      }).catch((error: unknown) => error);
    const known = await tryWith(account.email);
    const unknown = await tryWith('nobody@example.org');
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id/), undefined]);
    expect(unknown).toEqual(known);
    expect(unknown).toMatchObject({ code: 'credentials_invalid' });
    await records.stop();
    await db.destroy();
  });

  it('costs the same time for an unknown address', async () => {
    const time = async (email: string) => {
      const startedAt = performance.now();
      await call(url, 'POST', '/auth/login', { body: { email, password: 'not the password' } });
      return performance.now() - startedAt;
    };
    const fresh = await createAccount(url);
    await time('warm-up@example.org');
    let [known, unknown] = [Infinity, Infinity];
    for (let i = 0; i < 4; i++) {
      known = Math.min(known, await time(fresh.email));
      unknown = Math.min(unknown, await time(`nobody-${i}@example.org`));
    }
    // Argon2 takes tens of milliseconds; without it the unknown one would be below a fifth.
    expect(unknown).toBeGreaterThan(known / 3);
  });

  it('of thirty wrong tries at once hears five, and one more for each second that it took', async () => {
    const victim = await createAccount(url);
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        call(url, 'POST', '/auth/login', { body: { email: victim.email, password: 'not the password' } }),
      ),
    );
    const heard = answers.filter((answer) => answer.status === 401).length;
    expect(heard).toBeGreaterThanOrEqual(5);
    expect(heard).toBeLessThanOrEqual(5 + (performance.now() - startedAt) / 1000);
  });

  it('gives a session that no cookie of the visitor had a say in', async () => {
    const planted = createSecret('session').value;
    const { setCookie, body } = await send(
      'POST',
      '/auth/login',
      { cookie: `trs=${planted}` },
      { email: account.email, password: account.password },
    );
    expect(body['sessionToken']).not.toBe(planted);
    expect(setCookie[0]).toContain(`trs=${String(body['sessionToken'])};`);
    expect((await send('GET', '/auth/account', { cookie: `trs=${planted}` })).status).toBe(401);
  });
});

describe('a request of another site', () => {
  const cookie = () => `trs=${account.sessionToken}`;
  const own = () => new URL(url).origin;

  it.each<[string, () => Record<string, string>, number]>([
    ['with neither header', () => ({}), 403],
    ['cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['same-site but another origin', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['with a foreign Origin', () => ({ origin: 'https://evil.example' }), 403],
    ['with Origin null', () => ({ origin: 'null' }), 403],
    [
      'that claims our Origin but is cross-site',
      () => ({ origin: own(), 'sec-fetch-site': 'cross-site' }),
      403,
    ],
    ['same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['with our Origin', () => ({ origin: own() }), 200],
  ])('by cookie, %s: %s', async (_name, headers, status) => {
    const answer = await send('POST', '/auth/pairing-codes', { cookie: cookie(), ...headers() }, {});
    expect([answer.status, answer.body['code'] === 'origin_refused']).toEqual([status, status === 403]);
  });

  it('may not sign a visitor in, nor register one', async () => {
    const body = { email: account.email, password: account.password };
    for (const path of ['/auth/login', '/auth/register', '/auth/regenerate-key', '/auth/forgot-password']) {
      const answer = await send('POST', path, { origin: 'https://evil.example' }, body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
      expect(answer.setCookie).toEqual([]);
    }
  });

  it('cannot use the cookie by adding a Bearer header', async () => {
    const headers = { cookie: cookie(), authorization: 'Bearer nonsense', 'sec-fetch-site': 'same-origin' };
    expect(await send('GET', '/auth/account', headers)).toMatchObject({ status: 401 });
  });

  it('sends text/plain in vain', async () => {
    const answer = await send(
      'POST',
      '/auth/login',
      { 'content-type': 'text/plain' },
      { email: account.email, password: account.password },
    );
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('the session cookie', () => {
  it('is HttpOnly and Lax, and over https __Host- and Secure', async () => {
    const secure = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { publicUrl: 'https://relay.example' },
    });
    try {
      const body = { email: account.email, password: account.password };
      const [plain] = (await send('POST', '/auth/login', {}, body)).setCookie;
      const [overTls] = (await send('POST', '/auth/login', {}, body, secure.instances[0].url)).setCookie;
      const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000';
      expect(plain).toMatch(new RegExp(`^trs=trs_\\w+; ${attributes}$`));
      expect(overTls).toMatch(new RegExp(`^__Host-trs=trs_\\w+; ${attributes}; Secure$`));
      const token = /trs_\w+/.exec(overTls ?? '')?.[0];
      const get = (cookie: string) =>
        send('GET', '/auth/account', { cookie }, undefined, secure.instances[0].url);
      expect((await get(`__Host-trs=${token}`)).status).toBe(200);
      // A cookie that another host of the domain, or plain http, could have set.
      expect((await get(`trs=${token}`)).status).toBe(401);
    } finally {
      await secure.stop();
    }
  });
});

describe('limits per address', () => {
  it('are not escaped by a forged X-Forwarded-For; a trusted proxy’s is believed', async () => {
    const limits = { limitForgotPassword: '3 per 1 min' };
    const untrusting = await startInstances({ databaseUrl: cluster.databaseUrl, config: limits });
    const trusting = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { ...limits, trustedProxies: ['127.0.0.1/32'] },
    });
    try {
      const tries = async (at: string) => {
        const statuses: number[] = [];
        for (let i = 0; i < 5; i++) {
          const headers = { 'x-forwarded-for': `203.0.113.${i}` };
          const body = { email: `xff-${i}@example.org` };
          statuses.push((await send('POST', '/auth/forgot-password', headers, body, at)).status);
        }
        return statuses;
      };
      expect(await tries(untrusting.instances[0].url)).toEqual([200, 200, 200, 429, 429]);
      expect(await tries(trusting.instances[0].url)).toEqual([200, 200, 200, 200, 200]);
    } finally {
      await Promise.all([untrusting.stop(), trusting.stop()]);
    }
  });

  it('count IPv6 by /64, and by /48 with four times the limit, over all instances', async () => {
    const proxied = await startInstances({
      count: 2,
      databaseUrl: cluster.databaseUrl,
      config: { limitForgotPassword: '3 per 1 min', trustedProxies: ['127.0.0.1/32'] },
    });
    try {
      let calls = 0;
      const ask = async (address: string) => {
        const at = proxied.instances[calls++ % 2]?.url;
        const body = { email: 'nobody@example.org' };
        return (await send('POST', '/auth/forgot-password', { 'x-forwarded-for': address }, body, at)).status;
      };
      const inOneHousehold: number[] = [];
      for (let i = 0; i < 4; i++) inOneHousehold.push(await ask(`2001:db8:1:1:${i}::1`));
      expect(inOneHousehold).toEqual([200, 200, 200, 429]);
      const inOneSite: number[] = [];
      for (let i = 0; i < 13; i++) inOneSite.push(await ask(`2001:db8:2:${i}::1`));
      expect(inOneSite).toEqual([...Array<number>(12).fill(200), 429]);
      expect(await ask('2001:db8:3::1')).toBe(200);
    } finally {
      await proxied.stop();
    }
  });

  it('stand as documented on every open route, with the headers that say so', async () => {
    const limited = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: defaultLimits,
    });
    try {
      const at = limited.instances[0].url;
      const code = '0'.repeat(26);
      const rows: [string, string, number][] = [
        ['POST', '/auth/register', 5],
        ['POST', '/auth/regenerate-key', 5],
        ['POST', '/auth/forgot-password', 3],
        ['POST', '/auth/reset-password', 3],
        ['POST', '/auth/pair', 10],
        ['POST', '/auth/key-request', 20],
        ['POST', '/auth/key-request/exchange', 20],
        ['GET', `/auth/key-request/${code}/status`, 1],
      ];
      for (const [method, path, max] of rows) {
        for (let i = 0; i < max; i++) expect((await call(at, method, path)).status, path).not.toBe(429);
        const refused = await call(at, method, path);
        expect(refused, path).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
        expect(Number(refused.headers.get('retry-after')), path).toBeGreaterThan(0);
        expect(refused.headers.get('ratelimit-limit'), path).toBe(String(max));
      }
    } finally {
      await limited.stop();
    }
  });
});

describe('a key or token that nobody issued', () => {
  const malformed = [
    '',
    'x',
    'null',
    'trk_',
    `trk_${'0'.repeat(38)}`,
    'a'.repeat(8000),
    "' or 1=1 --",
    'trk_\u00e9',
  ];

  it.each(malformed)('is refused without a look-up: %j', async (key) => {
    const answer = await send('GET', '/clients', { 'x-api-key': encodeURIComponent(key) });
    expect(answer.status).toBe(401);
    expect(answer.body['code']).toBe(key === '' ? 'key_missing' : 'key_invalid');
    const session = await send('GET', '/auth/account', {
      authorization: `Bearer ${encodeURIComponent(key)}`,
    });
    expect(session.status).toBe(401);
  });

  it.each(malformed)('is refused in a body, and is no fault of ours: %j', async (value) => {
    const password = 'vexed otter piano';
    for (const [path, body] of [
      ['/auth/reset-password', { token: value, password }],
      ['/auth/pair', { code: value, worldId: 'w' }],
      ['/auth/key-request/exchange', { code: value }],
    ] as const) {
      const answer = await call(url, 'POST', path, { body });
      expect([400, 404], path).toContain(answer.status);
      expect(['invalid_request', 'not_found'], path).toContain(answer.body['code']);
    }
    const unpaired = await call(url, 'POST', '/api/self-unpair', { body: { token: value } });
    expect([200, 400]).toContain(unpaired.status);
  });

  it('that exists but is of another kind opens nothing', async () => {
    const { token } = await account.pair();
    const key = await account.createKey();
    for (const wrong of [token, account.sessionToken]) {
      expect(await send('GET', '/clients', { 'x-api-key': wrong })).toMatchObject({
        status: 401,
        body: { code: 'key_invalid' },
      });
    }
    for (const wrong of [token, key, account.masterKey]) {
      expect(await send('GET', '/auth/account', { authorization: `Bearer ${wrong}` })).toMatchObject({
        status: 401,
      });
    }
  });

  it('costs its sender: 30 a minute and address, and valid keys that are known go on', async () => {
    const own = await startInstances({ databaseUrl: cluster.databaseUrl, config: defaultLimits });
    try {
      const at = own.instances[0].url;
      const key = await account.createKey();
      const ask = async (value: string) =>
        (await send('GET', '/clients', { 'x-api-key': value }, undefined, at)).status;
      expect(await ask(key)).toBe(200);
      const statuses: number[] = [];
      for (let i = 0; i < 35; i++) statuses.push(await ask(createSecret('scopedKey').value));
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.slice(30)).toEqual([429, 429, 429, 429, 429]);
      expect(await ask(key)).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
