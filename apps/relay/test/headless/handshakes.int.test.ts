import { migrateJobs } from '@tabletop-relay/jobs';
import { asOwner, readRedis } from '@tabletop-relay/testing';
import { call, createAccount, encrypt, sessionCaller } from '@tabletop-relay/testing/scenes';
import type { Handshake, TestAccount } from '@tabletop-relay/testing/scenes';
import { readRole } from '@tabletop-relay/database';
import { Redis } from 'ioredis';
import { createPublicKey, hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { defaultLimits, startInstances } from '../instances.ts';
import { encryptByOpenssl, encryptInBrowser } from './encrypters.ts';

const tabletopUrl = 'http://127.0.0.1:9';
const login = { tabletopUrl, username: 'Ada' };
const config = { outboundAllow: ['127.0.0.0/8'], browserHostWaitMs: 200 };

let two: TwoInstances;
let redisUrl: string;
let account: TestAccount;
let key: string;
let first: ReturnType<typeof sessionCaller>;
let second: ReturnType<typeof sessionCaller>;
beforeAll(async () => {
  two = await startTwo('redis', { config });
  redisUrl = two.redis?.url ?? '';
  account = await createAccount(two.first.url);
  key = await account.createKey();
  first = sessionCaller(two.first.url, key);
  second = sessionCaller(two.second.url, key);
});
afterAll(() => two.stop());

async function shake(of = first, given: Parameters<typeof first.handshake>[0] = login): Promise<Handshake> {
  const { status, body } = await of.handshake(given);
  expect(status).toBe(200);
  return body as unknown as Handshake;
}

describe('a handshake', () => {
  it('gives a key of 2048 bits that nobody else gets, and another instance ends it', async () => {
    const [one, other] = [await shake(), await shake(second)];
    expect(createPublicKey(one.publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(one.publicKey).not.toBe(other.publicKey);
    // No browser host runs, so a start that was let in is told so.
    const { status, body } = await second.start({
      handshakeToken: one.token,
      encryptedPassword: encrypt(one, 'p'),
    });
    expect([status, body['code']]).toEqual([503, 'browser_unavailable']);
  });

  it.each([
    ['WebCrypto', encryptInBrowser],
    ['openssl pkeyutl', encryptByOpenssl],
  ])('takes a password that %s encrypted', async (_maker, encryptIt) => {
    const shaken = await shake();
    const encryptedPassword = await encryptIt(shaken, 'pässword “quoted”');
    const { body } = await first.start({ handshakeToken: shaken.token, encryptedPassword });
    expect(body['code']).toBe('browser_unavailable');
  });

  it('is refused in the same words whatever is wrong with it', async () => {
    const foreign = sessionCaller(two.first.url, await account.createKey());
    const used = await shake();
    await first.start({ handshakeToken: used.token, encryptedPassword: encrypt(used, 'p') });
    const fresh = async () => await shake();
    const tries = [
      async () => first.start({ handshakeToken: used.token, encryptedPassword: encrypt(used, 'p') }),
      async () => first.start({ handshakeToken: 'nonsense', encryptedPassword: encrypt(used, 'p') }),
      async () => {
        const { token, publicKey } = await fresh();
        return first.start({
          handshakeToken: token,
          encryptedPassword: encrypt({ publicKey, nonce: 'x' }, 'p'),
        });
      },
      async () => {
        const { token } = await fresh();
        return first.start({ handshakeToken: token, encryptedPassword: encrypt(used, 'p') });
      },
      async () => first.start({ handshakeToken: (await fresh()).token, encryptedPassword: 'AAAA' }),
      async () => {
        const shaken = await fresh();
        return foreign.start({ handshakeToken: shaken.token, encryptedPassword: encrypt(shaken, 'p') });
      },
    ];
    const answers = await Promise.all(tries.map((attempt) => attempt()));
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      tries.map(() => [400, 'handshake_invalid']),
    );
    expect(new Set(answers.map(({ body }) => body['detail'])).size).toBe(1);
  });

  it('is kept sealed for two minutes, and then refused in the same words', async () => {
    const shaken = await shake();
    const redis = new Redis(redisUrl);
    onTestFinished(() => redis.disconnect());
    const [key = ''] = await redis.keys(`*${hash('sha256', shaken.token, 'base64url')}*`);
    const leftMs = await redis.pttl(key);
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_000);
    const kept = (await redis.get(key)) ?? '';
    const bytes = Buffer.from(kept, 'base64').toString('latin1');
    for (const secret of ['PRIVATE KEY', shaken.nonce, shaken.token]) {
      expect(kept + bytes).not.toContain(secret);
    }
    await redis.pexpire(key, 1);
    await expect.poll(() => redis.exists(key)).toBe(0);
    const { status, body } = await first.start({
      handshakeToken: shaken.token,
      encryptedPassword: encrypt(shaken, 'p'),
    });
    const unknown = await first.start({ handshakeToken: 'nonsense', encryptedPassword: 'AAAA' });
    expect([status, body['code']]).toEqual([400, 'handshake_invalid']);
    expect(body['detail']).toBe(unknown.body['detail']);
  });

  it('is taken by one of many that use it at once', async () => {
    const shaken = await shake();
    const body = { handshakeToken: shaken.token, encryptedPassword: encrypt(shaken, 'p') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).start(body)),
    );
    expect(answers.filter(({ body: { code } }) => code !== 'handshake_invalid')).toHaveLength(1);
  });

  it('names what is missing, and takes the header of programs of before', async () => {
    const headers = { 'x-api-key': key };
    const bare = await call(two.first.url, 'POST', '/session-handshake', { headers });
    expect(bare.status).toBe(400);
    expect((bare.body['errors'] as { field: string }[]).map(({ field }) => field)).toEqual([
      'x-tabletop-url',
      'x-username',
    ]);
    const old = { ...headers, 'x-foundry-url': `${tabletopUrl}/game`, 'x-username': 'Ada' };
    expect((await call(two.first.url, 'POST', '/session-handshake', { headers: old })).status).toBe(200);
  });

  it.each([
    ['http://10.1.2.3/', 'url_not_allowed'],
    ['http://[::1]:30000/', 'url_not_allowed'],
    ['http://169.254.169.254/latest', 'url_not_allowed'],
    ['http://nowhere.invalid/', 'url_not_allowed'],
    ['file:///etc/passwd', 'invalid_request'],
    ['http://user:pass@127.0.0.1/', 'invalid_request'],
    ['not an address', 'invalid_request'],
  ])('for %s is refused with %s', async (url, code) => {
    const { status, body } = await first.handshake({ tabletopUrl: url, username: 'Ada' });
    expect([status, body['code']]).toEqual([400, code]);
  });

  it('needs the scope', async () => {
    const reader = sessionCaller(two.first.url, await account.createKey({ scopes: ['session:read'] }));
    expect((await reader.handshake(login)).body['code']).toBe('scope_missing');
    expect(await reader.list()).toEqual([]);
  });
});

describe('a session that nobody takes', () => {
  it('keeps no password anywhere, and shows its account what happened', async () => {
    const password = 'a password that stands nowhere';
    const { body } = await first.logIn({ ...login, password });
    expect(body['code']).toBe('browser_unavailable');
    const rows = await two.cluster.db.selectFrom('headlessSessions').selectAll().execute();
    expect(rows.every(({ sealKey, sealedToken }) => sealKey === null && sealedToken === null)).toBe(true);
    const stored = await readRedis(redisUrl);
    // The job waits for a host still, and what it holds is sealed by a key that is gone.
    expect(stored).toContain('sealedPassword');
    expect(JSON.stringify([rows, two.cluster.logs]) + stored).not.toContain(password);
    const listed = await account.as('GET', '/auth/headless-sessions');
    const [newest] = listed.body['items'] as Record<string, unknown>[];
    expect(newest).toMatchObject({ tabletopUrl, username: 'Ada', state: 'failed', stage: 'queued' });
    expect(await first.list()).toEqual([]);
  });
});

describe('while a session starts', () => {
  it('another start on its tabletop is a conflict, and only its own key may see and end it', async () => {
    const cluster = await startInstances({ config: { ...config, browserHostWaitMs: 60_000 } });
    try {
      const [{ url }] = cluster.instances;
      await migrateJobs({ url: asOwner(cluster.databaseUrl), grantTo: await readRole(cluster.db) });
      const owner = await createAccount(url);
      const mine = sessionCaller(url, await owner.createKey());
      const other = sessionCaller(url, await owner.createKey());
      const master = sessionCaller(url, owner.masterKey);
      const starting = mine.logIn({ ...login, password: 'p' });
      await expect.poll(() => mine.list()).toHaveLength(1);
      const [session] = await mine.list();
      const id = String(session?.['sessionId']);
      expect(session).toMatchObject({
        tabletopUrl,
        username: 'Ada',
        state: 'starting',
        clientId: '',
        worldId: '',
      });
      expect(await other.list()).toEqual([]);
      expect(await master.list()).toEqual([session]);

      const again = await mine.logIn({ ...login, tabletopUrl: `${tabletopUrl}/join`, password: 'p' });
      expect([again.status, again.body['sessionId']]).toEqual([409, id]);
      const foreign = await other.logIn({ ...login, password: 'p' });
      expect([foreign.status, foreign.body['sessionId']]).toEqual([409, undefined]);

      expect((await other.end(id)).status).toBe(404);
      expect((await mine.end(id)).body).toEqual({ status: 'ok', message: 'The session has ended.' });
      expect((await mine.end(id)).status).toBe(404);
      const started = await starting;
      expect([started.status, started.body['code'], started.body['sessionId']]).toEqual([
        502,
        'session_failed',
        id,
      ]);
    } finally {
      await cluster.stop();
    }
  });
});

it('a key makes ten handshakes a minute, another key of the account its own ten', async () => {
  const cluster = await startInstances({ config: { ...config, ...defaultLimits } });
  const [{ url }] = cluster.instances;
  const owner = await createAccount(url);
  const limited = sessionCaller(url, await owner.createKey());
  const statuses = [];
  for (let index = 0; index < 11; index++) statuses.push((await limited.handshake(login)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  expect((await sessionCaller(url, await owner.createKey()).handshake(login)).status).toBe(200);
  await cluster.stop();
});
