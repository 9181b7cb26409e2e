import { createQuotas, createRedisLedger } from '@tabletop-relay/limits';
import { connectDatabase } from '@tabletop-relay/database';
import { measureRunningTime, startFaultProxy, startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/keys/authenticate.ts';
import { createKeyUse } from '../../src/keys/key-use.ts';
import type { ProblemError } from '../../src/problem.ts';
import { createMonthlyLimit } from '../../src/keys/call-limits.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';
import { allowedOf, callAll, header, list } from './call-all.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe('the monthly limit, over two instances', () => {
  let cluster: TestInstances;
  let account: TestAccount;
  beforeEach(async () => {
    await redis.restart();
    cluster = await startInstances({ count: 2, redis: [redis.url] });
    account = await createAccount(cluster.instances[0].url);
  });
  afterEach(() => cluster.stop());

  const monthMs = () => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime();
  };

  it('is never exceeded, counts no refused call, and says when the month ends', async () => {
    const monthlyLimit = 40;
    const key = await account.createKey({ monthlyLimit });
    const answers = await callAll(cluster.instances, key, 120);
    const allowed = allowedOf(answers);
    expect(allowed).toBeLessThanOrEqual(monthlyLimit);
    expect(allowed).toBeGreaterThanOrEqual(35);
    const refused = answers.find(({ status }) => status === 429) as Answer;
    expect(refused.body).toMatchObject({ code: 'monthly_limit_reached', retryable: true });
    expect(header(refused, 'retry-after') * 1_000).toSatisfy(
      (ms: number) => ms > monthMs() - 5_000 && ms < monthMs() + 60_000,
    );
    expect(header(refused, 'ratelimit-limit')).toBe(monthlyLimit);
    await Promise.all(cluster.instances.map((instance) => instance.stop()));
    const usage = await cluster.db.selectFrom('keyUsage').select('calls').executeTakeFirst();
    expect(Number(usage?.calls)).toBe(allowed);
  });

  it('does not count what failed its checks, nor the master key', async () => {
    const key = await account.createKey({ monthlyLimit: 1, scopes: ['clients:read'] });
    const [{ url }] = cluster.instances;
    const denied = await call(url, 'GET', '/players', { headers: { 'x-api-key': key } });
    expect(denied.body['code']).toBe('scope_missing');
    expect((await list(cluster.instances[0], key)).status).toBe(200);
    expect((await list(cluster.instances[0], key)).body['code']).toBe('monthly_limit_reached');
    expect(allowedOf(await callAll(cluster.instances, account.masterKey, 10))).toBe(10);
  });

  it('does not count calls to worlds that are not the account’s', async () => {
    const key = await account.createKey({ monthlyLimit: 3 });
    const callWorld = (clientId: string, index: number) =>
      call((cluster.instances[index % 2] as TestInstance).url, 'GET', `/players?clientId=${clientId}`, {
        headers: { 'x-api-key': key },
      });
    for (let index = 0; index < 8; index++) {
      expect((await callWorld(`nonexistent${index}`, index)).body['code']).toBe('client_not_found');
    }
    const code = await account.as('POST', '/auth/pairing-codes', {});
    const { body } = await call(cluster.instances[0].url, 'POST', '/auth/pair', {
      body: { code: code.body['code'], worldId: 'world', worldTitle: 'World' },
    });
    const callOwn = async () => (await callWorld(String(body['clientId']), 0)).body['code'];
    // A world of the account that is offline: the call passed its checks. What another instance gave back is
    // there within a second.
    let passed = 0;
    await expect
      .poll(async () => (await callOwn()) === 'client_offline' && ++passed, { interval: 10 })
      .toBe(3);
    expect(await callOwn()).toBe('monthly_limit_reached');
    await Promise.all(cluster.instances.map((instance) => instance.stop()));
    const usage = await cluster.db.selectFrom('keyUsage').select('calls').executeTakeFirst();
    expect(Number(usage?.calls)).toBe(3);
  });

  it('takes a change within a second, on every instance', async () => {
    const key = await account.createKey({ monthlyLimit: 10 });
    while ((await list(cluster.instances[1] as TestInstance, key)).status === 200);
    const { body } = await account.as('GET', '/auth/api-keys');
    const [{ id }] = body['items'] as [{ id: string }];
    const changeTo = async (monthlyLimit: number, at: TestInstance, status: number) => {
      await account.as('PATCH', `/auth/api-keys/${id}`, { monthlyLimit });
      const ranMs = measureRunningTime();
      await expect.poll(async () => (await list(at, key)).status).toBe(status);
      expect(ranMs()).toBeLessThan(1_000);
    };
    await changeTo(12, cluster.instances[1] as TestInstance, 200);
    await changeTo(5, cluster.instances[0], 429);
  });
});

describe('the month’s count of one instance', () => {
  const log = pino({ level: 'silent' });
  const principal = { kind: 'scoped', keyId: 'key', monthlyLimit: 10 } as Principal;

  async function open(now: () => number, url = redis.url, databaseUrl?: string) {
    const cluster = await startInstances(databaseUrl ? { databaseUrl } : {});
    const db = connectDatabase({ url: cluster.databaseUrl, poolSize: 2, log });
    const boot = crypto.randomUUID();
    const quotas = createQuotas({ ledger: createRedisLedger({ url, boot }) });
    await quotas.start();
    const keyUse = createKeyUse({ db, boot, log, now, onWritten: (written) => monthly.settle(written) });
    const monthly = createMonthlyLimit({ db, quotas, countCall: keyUse.count, now });
    const spend = async () => monthly.count(principal, await monthly.spend(principal));
    const spendAll = async (): Promise<{ calls: number; error: ProblemError }> => {
      for (let calls = 0; ; calls++) {
        const error: unknown = await spend().catch((cause: unknown) => cause);
        if (error !== undefined) return { calls, error: error as ProblemError };
      }
    };
    const stop = async () => {
      await quotas.stop();
      await db.destroy();
      await cluster.stop();
    };
    return { cluster, db, keyUse, spend, spendAll, stop };
  }

  async function addKey(cluster: TestInstances): Promise<void> {
    const account = await createAccount(cluster.instances[0].url);
    await cluster.db
      .insertInto('apiKeys')
      .values({
        id: 'key',
        accountId: account.accountId,
        hash: Buffer.from('h'),
        hint: '',
        name: '',
        scopes: ['clients:read'],
        clientIds: null,
        monthlyLimit: 10,
        expiresAt: null,
        lastUsedAt: null,
      })
      .execute();
  }

  it('begins anew with the month, in UTC', async () => {
    await redis.restart();
    let now = Date.UTC(2030, 0, 31, 23, 59, 59, 500);
    const one = await open(() => now);
    const january = await one.spendAll();
    expect(january.calls).toBe(10);
    expect(january.error.headers['retry-after']).toBe('1');
    now = Date.UTC(2030, 1, 1);
    const february = await one.spendAll();
    expect(february.calls).toBe(10);
    expect(february.error.headers['retry-after']).toBe(String(28 * 86_400));
    await one.stop();
  });

  it('survives a Redis that loses everything', async () => {
    await redis.restart();
    const one = await open(Date.now);
    await addKey(one.cluster);
    for (let call = 0; call < 6; call++) await one.spend();
    await one.keyUse.flush();
    // Not written down yet: the instance itself remembers these.
    for (let call = 0; call < 2; call++) await one.spend();
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    expect((await one.spendAll()).calls).toBe(2);
    await one.keyUse.flush();
    const { calls } = await one.db.selectFrom('keyUsage').select('calls').executeTakeFirstOrThrow();
    expect(calls).toBe('10');
    await one.stop();
  });

  it('is written once, also when the answer to the writing is lost', async () => {
    await redis.restart();
    const one = await open(Date.now);
    await addKey(one.cluster);
    // The statement has committed; then its answer is lost.
    let failing = true;
    const db = one.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult({ result }) {
        if (!failing) return Promise.resolve(result);
        failing = false;
        return Promise.reject(new Error('the answer was lost'));
      },
    });
    const written: unknown[] = [];
    const use = createKeyUse({ db, boot: 'boot', log, onWritten: (line) => written.push(line) });
    for (let call = 0; call < 3; call++) use.count(principal, Date.now());
    await expect(use.flush()).rejects.toThrow('the answer was lost');
    use.count(principal, Date.now());
    await use.flush();
    const { calls } = await one.db.selectFrom('keyUsage').select('calls').executeTakeFirstOrThrow();
    expect(calls).toBe('4');
    expect(written).toMatchObject([
      { calls: 3, total: 3 },
      { calls: 1, total: 4 },
    ]);
    await one.stop();
  });

  it('is spent by shares while Redis gives no answer, and no call waits longer than it must', async () => {
    await redis.restart();
    const proxy = await startFaultProxy(redis.port);
    const one = await open(Date.now, `redis://127.0.0.1:${proxy.port}`);
    await addKey(one.cluster);
    await one.spend();
    proxy.blackHole();
    const ranMs = measureRunningTime();
    expect((await one.spendAll()).calls).toBe(9);
    expect(ranMs()).toBeLessThan(1_500);
    await one.stop();
    await proxy.close();
  });
});
