import { startRedis } from '@tabletop-relay/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Redis } from 'ioredis';
import type { Reply } from '../src/cluster.ts';
import { writeMessage } from '../src/message.ts';
import { keys } from '../src/redis/keys.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { createTraffic } from '../src/redis/traffic.ts';
import { failureOf, startInstance } from './conformance/fleet.ts';

const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };
const client = 'client-1';

async function startCounted(redisUrl: string, instanceId: string) {
  const traffic = createTraffic();
  const cluster = createRedisCluster({ instanceId, shards: [redisUrl], holds, traffic });
  const instance = await startInstance(cluster);
  onTestFinished(() => cluster.stop());
  return { ...instance, instance, traffic };
}

test('what goes between two instances is counted by kind on both sides', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const asker = await startCounted(redis.url, 'asker');
  const owner = await startCounted(redis.url, 'owner');
  await owner.connect(client);

  await asker.ask(client, '12345');
  expect(asker.traffic.published.command).toEqual({ messages: 1, bytes: 5 });
  expect(owner.traffic.received.command).toEqual({ messages: 1, bytes: 5 });
  expect(owner.traffic.published.answer).toMatchObject({ messages: 1 });
  expect(asker.traffic.received.answer).toEqual(owner.traffic.published.answer);
  expect(asker.traffic.answered).toBe(1);
  expect(asker.traffic.answeredMs).toBeGreaterThan(0);

  await asker.ask(client, 'x'.repeat(600_000));
  const { messages, bytes } = asker.traffic.received.chunk;
  expect(messages).toBeGreaterThan(1);
  expect(bytes).toBeGreaterThan(600_000);
  expect(owner.traffic.published.chunk).toEqual({ messages, bytes });
  expect(asker.traffic.heldBytes()).toBe(600_000);

  const { length } = writeMessage('broadcast', { topic: 'topic' }, Buffer.from('news'));
  await owner.cluster.broadcast.publish('topic', 'news');
  await vi.waitFor(() => expect(asker.traffic.received.broadcast).toEqual({ messages: 1, bytes: length }));
  expect(owner.traffic.published.broadcast).toEqual({ messages: 1, bytes: length });
});

test('a call that waits is counted as waiting, and as answered only where it was', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const asker = await startCounted(redis.url, 'asker');
  const owner = await startCounted(redis.url, 'owner');
  const { promise: never } = Promise.withResolvers<Reply>();
  owner.instance.answer = () => never;
  await owner.connect(client);
  const failed = failureOf(asker.ask(client, 'late', { budgetMs: 300 }));
  await vi.waitFor(() => expect(asker.traffic.waiting()).toBe(1));
  expect(await failed).toMatchObject({ reason: 'timeout' });
  expect([asker.traffic.waiting(), asker.traffic.answered]).toEqual([0, 0]);
});

test('an answer that comes twice is counted as late, and one that nobody is subscribed to as unheard', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const asker = await startCounted(redis.url, 'asker');
  const owner = await startCounted(redis.url, 'owner');
  await owner.connect(client);
  const store = new Redis(redis.url);
  const ear = store.duplicate();
  onTestFinished(() => [store, ear].forEach((connection) => connection.disconnect()));
  const repeats = new Promise<void>((resolve, reject) => {
    ear.once('pmessageBuffer', (_pattern: string, channel: Buffer, message: Buffer) => {
      store.publish(channel, message).then(() => resolve(), reject);
      void ear.punsubscribe();
    });
  });
  await ear.psubscribe(keys.reply(asker.cluster.boot, '*' as unknown as number));
  await asker.ask(client, 'once');
  await repeats;
  await vi.waitFor(() => expect(asker.traffic.late).toBe(1));
  const { promise, resolve } = Promise.withResolvers<Reply>();
  owner.instance.answer = () => promise;
  const failed = failureOf(asker.ask(client, 'who hears'));
  await vi.waitFor(() => expect(owner.traffic.received.command.messages).toBe(2));
  await store.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  resolve({ head: {}, body: Buffer.from('nobody') });
  await vi.waitFor(() => expect(owner.traffic.unheard).toBeGreaterThan(0), 5_000);
  await failed.catch(() => {});
});
