import { createTestDatabase, startFaultProxy, startPostgresProxy, startRedis } from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { call, connectModule, createAccount } from '../account.ts';
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
