import { findFreePort, startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startRelayProcess } from '../process.ts';
import { cutListeners, emptyRedis, endOwner, stopRedis } from './load/faults.ts';
import type { Follower } from './load/follower.ts';
import { startScene } from './load/scene.ts';
import type { Scene, SceneOptions } from './load/scene.ts';

const timeout = 90_000;

let redis: TestRedis;
let cluster: TestInstances;
let account: TestAccount;
let key: string;
let scene: Scene;
let urls: string[];
beforeAll(async () => {
  redis = await startRedis();
  cluster = await startInstances({
    count: 3,
    redis: [redis.url],
    config: { streamsPerKey: 1_000, streamsPerAccount: 1_000, drainSpreadMs: 500, drainGraceMs: 3_000 },
  });
  urls = cluster.instances.map(({ url }) => url);
  account = await createAccount(urls[0] as string);
  key = await account.createKey();
});
afterEach(() => scene.close());
afterAll(async () => {
  await cluster.stop();
  await redis.stop();
});

const start = async (options: Partial<SceneOptions> = {}): Promise<Scene> =>
  (scene = await startScene({ account, key, urls, listeners: 30, ...options }));

/** `pnpm soak --streams` does the same with more events and longer faults. */
describe('what a listener heard and was told is what was sent', { timeout }, () => {
  it('by 100 listeners on three instances, 1,000 events each, in order', async () => {
    const { world, followers } = await start({ listeners: 100 });
    await world.send(1_000);
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts()).toMatchObject({ event: followers.length * world.sent(), gap: 0, offline: 0 });
  });

  it('though its connection is cut again and again', async () => {
    const { world, followers } = await start({ listeners: 12 });
    await cutListeners(scene, { rounds: 12, everyMs: 200 });
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts()).toMatchObject({ event: followers.length * world.sent(), told: 0 });
    expect(scene.counts().recovered).toBeGreaterThan(20);
  });

  it('though Redis is emptied, and starts anew without its data', async () => {
    await start();
    await emptyRedis(scene, redis, { rounds: 3, everyMs: 300 });
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts().offline).toBe(0);
  });

  it('though Redis is away, also for listeners that are cut meanwhile', async () => {
    await start();
    await stopRedis(scene, redis, { forMs: 6_000, eventsPerSecond: 100 });
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts().told).toBe(0);
  });

  it('though its instance, the world’s too, drains: nothing is lost', async () => {
    const { url, stop } = await cluster.add();
    await start({ worldUrl: url, urls: [...urls, url] });
    await endOwner(scene, { url, end: stop });
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts()).toMatchObject({ told: 0, offline: 0 });
  });

  it('though the owner is killed: its last events are told by `client-offline`', async () => {
    const doomed = await startRelayProcess({
      port: await findFreePort(),
      databaseUrl: cluster.databaseUrl,
      redisUrl: redis.url,
      instanceId: 'doomed',
    });
    await start({
      worldUrl: doomed.url,
      urls: [...urls, doomed.url],
      tally: { from: 1, isOwnerKilled: true },
    });
    await endOwner(scene, { url: doomed.url, end: () => doomed.end('SIGKILL') });
    expect(await scene.findProblems()).toEqual([]);
    expect(scene.counts().offline).toBeGreaterThanOrEqual(30);
  });

  it('by one that was away alone, within the 2,000 events that are kept', async () => {
    const { world, followers } = await start({ listeners: 1, bytes: 600, returnMs: 3_000 });
    const [{ tally, cut }] = followers as [Follower];
    cut();
    await world.send(1_900);
    expect(await scene.findProblems()).toEqual([]);
    expect(tally.counts).toMatchObject({ event: world.sent(), recovered: 1, told: 0 });
  });
});
