import {
  createTestDatabase,
  measureRunningTime,
  startFaultProxy,
  startPostgresProxy,
  startRedis,
} from '@tabletop-relay/testing';
import { call, connectModule, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';

const credentialTrustMs = 2_000;

/** Two instances, each with networks of its own to Redis and to Postgres. */
async function startNetworked() {
  const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const networks = await Promise.all(
    [0, 1].map(async () => {
      const toRedis = await startFaultProxy(redis.port);
      const { url, network: toPostgres } = await startPostgresProxy(database.url);
      return { toRedis, toPostgres, url };
    }),
  );
  const cluster = await startInstances({
    count: 2,
    databaseUrl: database.url,
    waysToStores: networks.map(({ toRedis, url }) => ({
      redis: [`redis://127.0.0.1:${toRedis.port}#shared`],
      databaseUrl: url,
    })),
    config: { credentialTrustMs },
  });
  const proxies = networks.flatMap(({ toRedis, toPostgres }) => [toRedis, toPostgres]);
  onTestFinished(async () => {
    for (const proxy of proxies) proxy.heal();
    await cluster.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all([redis.stop(), database.drop()]);
  });
  return { cluster, networks };
}

it('a key that was revoked where only Postgres is left ends where only Redis is left, and is 401 when Postgres is back', async () => {
  const { cluster, networks } = await startNetworked();
  const [caller, publisher] = cluster.instances;
  if (!publisher || !networks[0] || !networks[1]) throw new Error('unreachable');
  const account = await createAccount(publisher.url);
  const apiKey = await account.createKey();
  const listed = await account.as('GET', '/auth/api-keys');
  const [{ id }] = listed.body['items'] as [{ id: string }];
  const pairing = await account.pair();
  const module = await connectModule(caller.url, pairing, ({ skill }) => ({ data: { skill } }));
  const status = async () => {
    const answer = await call(caller.url, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
      body: { actorUuid: 'Actor.a', skill: 'prc' },
      headers: { 'x-api-key': apiKey },
    });
    return answer.status;
  };
  expect(await status()).toBe(200);
  const { toPostgres } = networks[0];
  networks[1].toRedis.blackHole();
  toPostgres.refuse();
  expect((await account.as('DELETE', `/auth/api-keys/${id}`)).status).toBe(200);
  expect(await status()).toBe(200);
  await expect.poll(status, { timeout: 20_000 }).toBe(503);
  toPostgres.heal();
  await expect.poll(status, { timeout: 20_000 }).toBe(401);
  await module.close();
}, 60_000);

/** The ways in which a right ends, each with an account of its own. */
const ends: Record<string, (given: Given) => Promise<{ status: number }>> = {
  'a revoked key': ({ account, keyId }) => account.as('DELETE', `/auth/api-keys/${keyId}`),
  'a rolled key': ({ account, keyId }) => account.as('POST', `/auth/api-keys/${keyId}/roll`, {}),
  'a paused key': ({ account, keyId }) => account.as('POST', `/auth/api-keys/${keyId}/pause`, {}),
  'a new master key': ({ account: { email, password }, url }) =>
    call(url, 'POST', '/auth/regenerate-key', { body: { email, password } }),
  'a disabled account': ({ account, admin }) =>
    admin.as('POST', `/admin/accounts/${account.accountId}/disable`),
  'a forced rotation': ({ account, admin }) =>
    admin.as('POST', `/admin/accounts/${account.accountId}/force-rotation`),
};

interface Given {
  account: TestAccount;
  admin: TestAccount;
  keyId: string;
  /** The instance that reaches both stores. */
  url: string;
}

it.each(['redis', 'postgres'] as const)(
  'where %s is away from an instance, what ends elsewhere ends there within a second',
  async (away) => {
    const { cluster, networks } = await startNetworked();
    const [there, here] = cluster.instances;
    const [network] = networks;
    if (!here || !network) throw new Error('unreachable');
    const admin = await createAccount(here.url);
    await makeAdministrator(cluster.db, admin);
    const given = await Promise.all(
      Object.entries(ends).map(async ([name, end]) => {
        const account = await createAccount(here.url);
        const apiKey = await account.createKey();
        const { body } = await account.as('GET', '/auth/api-keys');
        const [{ id: keyId }] = body['items'] as [{ id: string }];
        const pairing = await account.pair();
        const module = await connectModule(there.url, pairing, () => ({ users: [] }));
        const ask = async () =>
          (
            await call(there.url, 'GET', `/players?clientId=${pairing.clientId}`, {
              headers: { 'x-api-key': apiKey },
            })
          ).status;
        expect(await ask()).toBe(200);
        return { name, module, ask, end: () => end({ account, admin, keyId, url: here.url }) };
      }),
    );
    if (away === 'redis') network.toRedis.blackHole();
    else network.toPostgres.refuse();
    for (const { name, ask, end } of given) {
      expect([name, await ask()]).toEqual([name, 200]);
      expect([name, (await end()).status]).toEqual([name, 200]);
      const ranMs = measureRunningTime();
      let beganMs = 0;
      const askAgain = () => {
        beganMs = ranMs();
        return ask();
      };
      await expect.poll(askAgain, { interval: 20, message: name }).not.toBe(200);
      // When the refused call began: its answer may wait for a limiter that is away.
      expect(beganMs, name).toBeLessThan(1_000);
    }
    // Sockets end where the account lost all that it had.
    const closed = given.filter(({ name }) => /master|account|forced/.test(name));
    expect(closed).toHaveLength(3);
    await Promise.all(closed.map(({ module }) => module.closed));
    await Promise.all(given.map(({ module }) => module.close()));
  },
  120_000,
);
