import { startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { keys } from '../src/redis/keys.ts';
import { startInstance, testAccount } from './conformance/fleet.ts';

const soon = { timeout: 10_000, interval: 10 };

async function startTwo() {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const store = new Redis(server.url);
  onTestFinished(() => store.disconnect());
  const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };
  const start = async (instanceId: string) => {
    const cluster = createRedisCluster({ instanceId, shards: [server.url], holds });
    onTestFinished(() => cluster.stop());
    return await startInstance(cluster);
  };
  const [owner, other] = await Promise.all([start('owner'), start('other')]);
  return { store, owner, other };
}

test('in a Redis that was emptied a standby leaves the client to its owner, which lives', async () => {
  const { store, owner, other } = await startTwo();
  await owner.connect('client');
  const { conn } = await other.wait('client');
  await store.flushall();
  const claim = { clientId: 'client', conn, accountId: testAccount, meta: '' };
  expect((await other.cluster.standbys.succeed(claim)).outcome).toBe('duplicate');
  await vi.waitFor(async () => expect(await other.ask('client', 'back')).toBe('back'), soon);
  const list = async () => (await owner.cluster.standbys.find(['client'])).get('client');
  await expect.poll(list, soon).toMatchObject([{ conn }]);
  expect([other.promoted, owner.evicted]).toEqual([[], []]);
});

test('in a Redis that was emptied a world is not absent while claims are made again, and an unknown one is after that', async () => {
  const { store, owner, other: asker } = await startTwo();
  await owner.connect('client-1');
  const unknown = () => asker.ask('client-2', 'x');
  await expect(unknown()).rejects.toMatchObject({ reason: 'no_owner', sent: false });
  await store.flushall();
  const notSent = { reason: 'unavailable', sent: false };
  await expect(unknown()).rejects.toMatchObject(notSent);
  await expect(asker.cluster.directory.find(['client-1'])).rejects.toThrow('was emptied');
  await vi.waitFor(async () => expect(await asker.ask('client-1', 'back')).toBe('back'), soon);
  expect(await asker.cluster.directory.find(['client-1'])).toHaveProperty('size', 1);
  await expect(unknown()).rejects.toMatchObject(notSent);
  await store.del(keys.asserting);
  await expect(unknown()).rejects.toMatchObject({ reason: 'no_owner', sent: false });
});

test('claims are confirmed together, and only those that Redis has otherwise are made again', async () => {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const store = new Redis(server.url);
  onTestFinished(() => store.disconnect());
  const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };
  const cluster = createRedisCluster({
    instanceId: 'owner',
    shards: [server.url],
    holds,
    times: { reassertMs: 500 },
  });
  const owner = await startInstance(cluster);
  onTestFinished(() => cluster.stop());
  const clients = Array.from({ length: 600 }, (_, index) => `client-${index}`);
  await Promise.all(clients.map((client) => owner.connect(client)));
  const seen = (client: string) => store.hget(keys.owner(client), 'seen');
  const isSeenAgain = async () => {
    const before = await Promise.all(clients.map(seen));
    await vi.waitFor(async () => {
      const after = await Promise.all(clients.map(seen));
      expect(after.every((time, index) => time !== null && time !== before[index])).toBe(true);
    }, soon);
  };
  await isSeenAgain();
  await store.config('RESETSTAT');
  await isSeenAgain();
  const runs = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await store.info('commandstats'))?.[1]);
  expect(runs).toBeLessThan(60);
  expect(owner.evicted).toEqual([]);

  await store.del(keys.owner('client-1'));
  const [taken, conn] = [keys.owner('client-2'), 'other'];
  await store.set(keys.lease('other-boot'), 'token other');
  await store.hset(taken, { boot: 'other-boot', conn, epoch: '9000000000000000' });
  await vi.waitFor(() => expect(owner.evicted).toMatchObject([{ why: 'superseded' }]), soon);
  expect(await store.hget(taken, 'conn')).toBe('other');
  await vi.waitFor(
    async () => expect(await store.hget(keys.owner('client-1'), 'boot')).toBe(cluster.boot),
    soon,
  );
});
