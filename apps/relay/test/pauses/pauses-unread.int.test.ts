import { createTestDatabase, startFaultProxy, startPostgresProxy, startRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';

/** Two instances; the first has networks of its own to Redis and to Postgres. */
async function startNetworked() {
  const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const toRedis = await startFaultProxy(redis.port);
  const { url, network: toPostgres } = await startPostgresProxy(database.url);
  const cluster = await startInstances({
    count: 2,
    databaseUrl: database.url,
    waysToStores: [
      { redis: [`redis://127.0.0.1:${toRedis.port}#shared`], databaseUrl: url },
      { redis: [`redis://127.0.0.1:${redis.port}#shared`], databaseUrl: database.url },
    ],
  });
  return { cluster, toRedis, toPostgres, redis, database };
}

let networked: Awaited<ReturnType<typeof startNetworked>>;
let account: TestAccount;
beforeAll(async () => {
  networked = await startNetworked();
  account = await createAccount(networked.cluster.instances[0].url);
});
afterAll(async () => {
  const { cluster, toRedis, toPostgres, redis, database } = networked;
  toRedis.heal();
  toPostgres.heal();
  await cluster.stop();
  await Promise.all([toRedis.close(), toPostgres.close()]);
  await Promise.all([redis.stop(), database.drop()]);
});

it.each(['redis', 'postgres', 'both'] as const)(
  'while %s is away from an instance, a pause of another is heard, or nobody is let in',
  async (away) => {
    const { cluster, toRedis, toPostgres } = networked;
    const [cut, whole] = cluster.instances;
    if (!whole) throw new Error('unreachable');
    const pairing = await account.pair();
    const module = await connectModule(cut.url, pairing, () => ({ data: {} }));
    const key = await account.createKey();
    const roll = async () => {
      const answer = await call(cut.url, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
        body: { actorUuid: 'Actor.a', skill: 'prc' },
        headers: { 'x-api-key': key },
      });
      return `${answer.status} ${String(answer.body['code'])}`;
    };
    expect(await roll()).toBe('200 undefined');
    if (away !== 'postgres') toRedis.refuse();
    if (away !== 'redis') toPostgres.refuse();
    const path = `/auth/known-clients/${pairing.clientId}`;
    const headers = { authorization: `Bearer ${account.sessionToken}` };
    expect((await call(whole.url, 'POST', `${path}/pause`, { headers })).status).toBe(200);
    // Nobody can read the key then: it is let in no more, or is known to be refused.
    await expect
      .poll(roll, { timeout: 10_000 })
      .toMatch(away === 'redis' ? /^403 paused$/ : /^(503 unavailable|403 paused)$/);
    const sent = module.received.length;
    for (let n = 0; n < 5; n++) expect(await roll()).toMatch(/^(503 unavailable|403 paused)$/);
    expect(module.received.filter(({ type }) => type === 'skill-check').length).toBeLessThanOrEqual(sent);
    toRedis.heal();
    toPostgres.heal();
    await expect.poll(roll, { timeout: 20_000 }).toBe('403 paused');
    expect((await call(whole.url, 'POST', `${path}/resume`, { headers })).status).toBe(200);
    await expect.poll(roll, { timeout: 20_000 }).toBe('200 undefined');
    await module.close();
  },
  60_000,
);
