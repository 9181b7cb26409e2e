import { startFaultProxy, startRedis } from '@tabletop-relay/testing';
import type { FaultProxy, TestRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import type { TestContext } from 'vitest';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { keys } from '../src/redis/keys.ts';
import { startInstance } from './conformance/fleet.ts';
import type { TestInstance } from './conformance/fleet.ts';
import { createTestHolds, sampleAuthorities, soon } from './fault-fleet.ts';
import { createToldReadings } from './fakes/told-readings.ts';
import type { ToldReadings } from './fakes/told-readings.ts';

/** Each instance reaches Redis by a name of its own, which may lead to another server. */
interface NamedInstance extends TestInstance {
  name: FaultProxy;
  /** Ends it without a word, as a kill does. */
  kill(): void;
}

const wordMs = 2_000;
const client = 'client-1';

interface Scene {
  redis: TestRedis;
  other: TestRedis;
  readings: ToldReadings;
  start(instanceId: string): Promise<NamedInstance>;
  startPair(): Promise<[first: NamedInstance, second: NamedInstance]>;
}

/** Two Redis of a test's own, because all tests run at once: each waits for words to grow old. */
async function openScene(onTestFinished: TestContext['onTestFinished']): Promise<Scene> {
  const [redis, other] = await Promise.all([startRedis(), startRedis()]);
  const holds = createTestHolds();
  const readings = createToldReadings();
  const ends: (() => Promise<void> | void)[] = [];
  onTestFinished(async () => {
    for (const end of ends.toReversed()) await end();
    await Promise.all([redis.stop(), other.stop()]);
  });

  async function start(instanceId: string): Promise<NamedInstance> {
    const name = await startFaultProxy(redis.port);
    ends.push(() => name.close());
    const shards = [`redis://127.0.0.1:${name.port}#shared`];
    const cluster = createRedisCluster({ instanceId, shards, holds, readings, times: { wordMs } });
    ends.push(() => cluster.stop());
    const instance = await startInstance(cluster);
    const kill = readings.report(cluster);
    ends.push(kill);
    return Object.assign(instance, { name, kill });
  }

  return {
    redis,
    other,
    readings,
    start,
    startPair: () => Promise.all([start('first'), start('second')]),
  };
}

/** The name of an instance leads elsewhere, and its connections break. */
function move(instance: NamedInstance, { port }: TestRedis): void {
  instance.name.pointTo(port);
  instance.name.cut();
}

async function onRedis<T>(server: TestRedis, look: (redis: Redis) => Promise<T>): Promise<T> {
  const connection = new Redis(server.url);
  try {
    return await look(connection);
  } finally {
    connection.disconnect();
  }
}

const idOf = (server: TestRedis) => onRedis(server, (connection) => connection.get(keys.id));
const state = ({ cluster }: NamedInstance) => cluster.health().state;
const authority = ({ cluster }: NamedInstance) => cluster.directory.authority(client);

async function everythingWorks(...instances: NamedInstance[]): Promise<void> {
  for (const instance of instances) {
    await vi.waitFor(async () => expect(await instance.ask(client, 'a call')).toBe('a call'), soon);
    expect(state(instance)).toBe('up');
  }
}

/** Samples whether both would act for the client at a time. */
function watchRivals(instances: NamedInstance[]): () => string[] {
  const { stop } = sampleAuthorities(instances, client);
  return () => stop().flatMap((each) => (each.every((one) => one !== 'frozen') ? [each.join(' and ')] : []));
}

test.concurrent('two that start at once on an empty Redis agree on one id', async ({ onTestFinished }) => {
  const { redis, startPair } = await openScene(onTestFinished);
  const [first, second] = await startPair();
  const id = await idOf(redis);
  expect([first, second].map(({ cluster }) => cluster.readings()[0])).toMatchObject([
    { id, found: id },
    { id, found: id },
  ]);
});

describe.concurrent('an id that is gone', () => {
  test('by FLUSHALL is written again by those whose connections stand, and nobody loses its right', async ({
    onTestFinished,
  }) => {
    const { redis, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    const id = await idOf(redis);
    const { stop } = sampleAuthorities([first], client);
    await onRedis(redis, (connection) => connection.flushall());
    await vi.waitFor(async () => expect(await idOf(redis)).toBe(id), soon);
    await everythingWorks(first, second);
    expect(stop()).toEqual([['owner']]);
  });

  test('with a restart of Redis is written again when nobody reads it any more', async ({
    onTestFinished,
  }) => {
    const { redis, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    const id = await idOf(redis);
    await redis.restart();
    await everythingWorks(first, second);
    expect(await idOf(redis)).toBe(id);
    expect([first.evicted, second.evicted]).toEqual([[], []]);
  });

  test.for([0, 400])(
    'with a restart is written again though the other instance was killed with it, where Postgres takes %i ms',
    async (slowMs, { onTestFinished }) => {
      const { redis, readings, startPair } = await openScene(onTestFinished);
      const [first, second] = await startPair();
      await first.connect(client);
      readings.slowMs = slowMs;
      second.name.refuse();
      second.kill();
      await redis.restart();
      await everythingWorks(first);
      expect(first.evicted).toEqual([]);
    },
  );

  test('after a fail-over to a server without data is written there', async ({ onTestFinished }) => {
    const { redis, other, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    const id = await idOf(redis);
    for (const instance of [first, second]) move(instance, other);
    await everythingWorks(first, second);
    expect(await idOf(other)).toBe(id);
  });

  test('keeps one that starts waiting until others have written it', async ({ onTestFinished }) => {
    const { redis, start, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    const id = await idOf(redis);
    for (const { name } of [first, second]) name.refuse();
    await onRedis(redis, (connection) => connection.flushall());
    let isStarted = false;
    const third = start('third').finally(() => (isStarted = true));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect([isStarted, await idOf(redis)]).toEqual([false, null]);
    for (const { name } of [first, second]) name.heal();
    await everythingWorks(await third);
    expect(await idOf(redis)).toBe(id);
  });
});

describe.concurrent('an instance whose name leads to another server in mid-life', () => {
  test('that has another id has no right any more, and lets its worlds go to the others', async ({
    onTestFinished,
  }) => {
    const { redis, other, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    const { conn } = await first.connect(client);
    await onRedis(other, (connection) => connection.set(keys.id, 'of others'));
    const rivals = watchRivals([first, second]);
    move(first, other);
    await vi.waitFor(() => expect(state(first)).toBe('foreign'), soon);
    expect(authority(first)).toBe('frozen');
    expect(first.evicted).toEqual([{ conn, why: 'foreign' }]);
    await expect(first.ask(client, 'a call')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    await expect(first.cluster.directory.find([client])).rejects.toThrow('Redis did not say who is online');
    await vi.waitFor(
      async () => expect(await second.connect(client)).toMatchObject({ outcome: 'mine' }),
      soon,
    );
    expect(await first.connect('client-2')).toMatchObject({ outcome: 'unavailable' });
    expect(await onRedis(other, (connection) => connection.keys('r:[^i]*'))).toEqual([]);

    first.name.pointTo(redis.port);
    await everythingWorks(second, first);
    expect(rivals()).toEqual([]);
  });

  test('that is empty does not write there while the others are where they were, and then has no right either', async ({
    onTestFinished,
  }) => {
    const { redis, other, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    const rivals = watchRivals([first, second]);
    move(first, other);
    // It is as if Redis were away, until it is sure that the others read the id elsewhere.
    await vi.waitFor(() => expect(state(first)).toBe('degraded'), soon);
    await vi.waitFor(() => expect(state(first)).toBe('foreign'), soon);
    expect(authority(first)).toBe('frozen');
    await vi.waitFor(async () => expect(await second.connect(client)).toMatchObject({ outcome: 'mine' }), {
      ...soon,
      timeout: 20_000,
    });
    expect(await idOf(other)).toBeNull();

    first.name.pointTo(redis.port);
    await everythingWorks(second, first);
    expect(rivals()).toEqual([]);
  });
});

test.concurrent(
  'a replica that takes the place of its primary has the id, and all goes on',
  async ({ onTestFinished }) => {
    const { redis, other, startPair } = await openScene(onTestFinished);
    const [first, second] = await startPair();
    await first.connect(client);
    await onRedis(other, (connection) => connection.replicaof('127.0.0.1', redis.port));
    const id = await idOf(redis);
    await vi.waitFor(async () => expect(await idOf(other)).toBe(id), soon);
    await onRedis(other, (connection) => connection.replicaof('NO', 'ONE'));
    for (const instance of [first, second]) move(instance, other);
    await everythingWorks(first, second);
    expect([first.evicted, second.evicted]).toEqual([[], []]);
  },
);
