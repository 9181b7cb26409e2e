import {
  connectFakeModule,
  measureRunningTime,
  startFaultProxy,
  startPostgres,
  startRedis,
} from '@tabletop-relay/testing';
import type { FakeModule, FaultProxy, TestPostgres, TestRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';

let postgres: TestPostgres;
let redis: TestRedis;
let proxy: FaultProxy;
let cluster: TestInstances;
let first: TestInstance;
let second: TestInstance;
let account: TestAccount;
let key: string;
let here: { clientId: string; module: FakeModule };
let there: { clientId: string; module: FakeModule };

beforeAll(async () => {
  postgres = await startPostgres();
  redis = await startRedis();
  proxy = await startFaultProxy(redis.port);
  cluster = await startInstances({
    count: 2,
    redis: [`redis://127.0.0.1:${proxy.port}`],
    databaseUrl: postgres.url,
  });
  [first, second] = cluster.instances as [TestInstance, TestInstance];
  account = await createAccount(first.url);
  key = await account.createKey();
  here = await world(first);
  there = await world(second);
}, 120_000);

afterAll(async () => {
  await here.module.close();
  await there.module.close();
  await cluster.stop();
  await proxy.close();
  await redis.stop();
  await postgres.stop();
}, 120_000);

async function world(instance: TestInstance) {
  const pairing = await account.pair();
  const module = await connectModule(instance.url, pairing, ({ skill }) => ({ data: { skill } }));
  return { clientId: pairing.clientId, module };
}

const roll = (instance: TestInstance, clientId: string, apiKey = key) =>
  call(instance.url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
    body: { actorUuid: 'Actor.a', skill: 'prc' },
    headers: { 'x-api-key': apiKey },
  });
const status = async (...args: Parameters<typeof roll>) => (await roll(...args)).status;

async function everythingWorks(withinMs: number): Promise<void> {
  const all = async () => [
    await status(first, here.clientId),
    await status(first, there.clientId),
    await status(second, here.clientId),
    await status(second, there.clientId),
  ];
  await expect.poll(all, { timeout: withinMs, interval: 100 }).toEqual([200, 200, 200, 200]);
}

async function recoveryMs(): Promise<number> {
  const ranMs = measureRunningTime();
  await everythingWorks(20_000);
  return ranMs();
}

/** Redis has been away for longer than any lease. */
async function redisIsAway(): Promise<void> {
  proxy.blackHole();
  await expect
    .poll(() => first.cluster.directory.authority(here.clientId), { timeout: 10_000 })
    .not.toBe('owner');
}

describe('with Redis away', () => {
  it('calls to worlds of this instance go on, the others are declared 503, and all recovers within 5 s', async () => {
    await everythingWorks(20_000);
    await redisIsAway();
    for (let turn = 0; turn < 20; turn++) expect(await status(first, here.clientId)).toBe(200);
    const elsewhere = await roll(first, there.clientId);
    expect(elsewhere.status).toBe(503);
    expect(elsewhere.body).toMatchObject({ code: 'unavailable', outcome: 'not_sent', retryable: true });
    expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(0);
    const list = await call(first.url, 'GET', '/clients', { headers: { 'x-api-key': key } });
    expect(list.status).toBe(503);
    const unnamed = await call(first.url, 'GET', '/players', { headers: { 'x-api-key': key } });
    expect(unnamed.status).toBe(503);
    const active = await call(first.url, 'GET', `/api/clients/${there.clientId}/active`);
    expect(active.status).toBe(503);
    proxy.heal();
    expect(await recoveryMs()).toBeLessThan(5_000);
  });

  it('emptied, it says of no world that it is not there, and knows them again within 5 s', async () => {
    await everythingWorks(20_000);
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const answers = new Set<number>();
    const both = async () => {
      const seen = [await status(first, there.clientId), await status(second, here.clientId)];
      for (const one of seen) answers.add(one);
      return seen;
    };
    await expect.poll(both, { timeout: 20_000, interval: 20 }).toEqual([200, 200]);
    expect([...answers].filter((one) => one !== 200 && one !== 503)).toEqual([]);
  });

  it('emptied and restarted, it learns its clients anew within 5 s', async () => {
    await redis.restart();
    expect(await recoveryMs()).toBeLessThan(5_000);
  });
});

describe('with Postgres away', () => {
  it('a world that asks to be paired goes on waiting, and one that connects is held until its token can be read', async () => {
    const asked = await call(first.url, 'POST', '/auth/pair-request', { body: { worldId: 'w' } });
    const poll = () => call(first.url, 'GET', `/auth/pair-request/${String(asked.body['code'])}/status`);
    const pairing = await account.pair();
    await postgres.kill();
    expect(await poll()).toMatchObject({ status: 200, body: { status: 'pending' } });
    const module = await connectFakeModule({ url: first.url, ...pairing });
    let end: { code: number } | undefined;
    void module.closed.then((closed) => (end = closed));
    await expect
      .poll(() => cluster.logs.filter(({ msg }) => msg === 'module is held').length, { timeout: 15_000 })
      .toBeGreaterThan(0);
    expect(await poll()).toMatchObject({ status: 200, body: { status: 'pending' } });
    await postgres.restart();
    await module.next('auth-success', 20_000);
    expect(end).toBeUndefined();
    await module.close();
    expect(await poll()).toMatchObject({ status: 200, body: { status: 'pending' } });
  }, 60_000);

  it('cached keys keep working here and across; what must be looked up is 503 and works again after', async () => {
    const fresh = await account.createKey();
    await postgres.kill();
    for (const instance of [first, second]) {
      for (const { clientId } of [here, there]) expect(await status(instance, clientId)).toBe(200);
    }
    const failed = async () =>
      Number(
        /relay_calls_total\{[^}]*outcome="unavailable"\} (\d+)/.exec(await first.registry.metrics())?.[1] ??
          0,
      );
    const failedBefore = await failed();
    const unknown = await roll(first, here.clientId, fresh);
    // The share of calls that fail in the relay has it.
    expect(await failed()).toBe(failedBefore + 1);
    expect(unknown.status).toBe(503);
    expect(unknown.body).toMatchObject({ code: 'unavailable' });
    expect((await call(first.url, 'GET', '/api/health')).status).toBe(503);
    const absent = await call(first.url, 'GET', '/api/clients/nobody/active');
    expect(absent.status).toBe(503);
    here.module.send({ type: 'get-known-clients', requestId: 'known_1' });
    expect(await here.module.next('error', 15_000)).toMatchObject({
      requestId: 'known_1',
      code: 'unavailable',
    });
    await postgres.restart();
    await expect.poll(() => status(first, here.clientId, fresh), { timeout: 15_000 }).toBe(200);
  });
});

describe('with both away', () => {
  it('everything is a declared 503, the sockets are kept, and all recovers by itself', async () => {
    await everythingWorks(10_000);
    proxy.blackHole();
    await postgres.kill();
    await expect.poll(() => status(first, here.clientId), { timeout: 20_000, interval: 250 }).toBe(503);
    const answer = await roll(first, here.clientId);
    expect(answer.body).toMatchObject({ code: 'unavailable', retryable: true });
    expect(here.module.socket.readyState).toBe(here.module.socket.OPEN);
    expect(there.module.socket.readyState).toBe(there.module.socket.OPEN);
    await postgres.restart();
    proxy.heal();
    await everythingWorks(15_000);
    expect(here.module.socket.readyState).toBe(here.module.socket.OPEN);
  }, 90_000);
});
