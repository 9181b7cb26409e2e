import { findFreePort, startRedis, waitFor } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { startRelayProcess } from '../process.ts';
import type { RelayProcess } from '../process.ts';
import { cutListeners, emptyRedis, endOwner, stopRedis } from '../streams/load/faults.ts';
import { startScene } from '../streams/load/scene.ts';
import type { Scene, SceneOptions } from '../streams/load/scene.ts';

export interface StreamSoakOptions {
  databaseUrl: string;
  /** On three instances. */
  listeners: number;
  /** Sent to each of them, while nothing is wrong. */
  events: number;
  /** How long listeners are cut. */
  cutMs: number;
  /** How long Redis answers nobody. */
  redisAwayMs: number;
}

/** One trial: what was done, and what its listeners heard and were told. */
export interface StreamTrial {
  name: string;
  seconds: number;
  /** By the world. Each listener must hear or be told of all of them. */
  sent: number;
  counts: ReturnType<Scene['counts']>;
  problems: string[];
}

type Act = (scene: Scene) => Promise<void>;

/** Tries event streams on three instances, first without a fault, then with each. Gives each trial when it has ended. */
export async function* soakStreams(options: StreamSoakOptions): AsyncGenerator<StreamTrial, void> {
  const redis = await startRedis();
  const start = (instanceId: string): Promise<RelayProcess> =>
    startOne(options.databaseUrl, redis, instanceId);
  const relays = [await start('relay-1'), await start('relay-2'), await start('relay-3')];
  try {
    const urls = relays.map(({ url }) => url);
    const account = await createAccount(urls[0] as string);
    const common = { account, key: await account.createKey(), urls, listeners: options.listeners };
    const attempt = async (name: string, act: Act, more: Partial<SceneOptions> = {}): Promise<StreamTrial> =>
      await tryOne(name, act, { ...common, ...more });
    const { cutMs, redisAwayMs } = options;
    yield await attempt('Nothing is wrong', (scene) => sendEvenly(scene, options.events));
    yield await attempt(`A third of the listeners is cut every 2 s, for ${cutMs / 1_000} s`, (scene) =>
      cutListeners(scene, { rounds: cutMs / 2_000, everyMs: 2_000 }),
    );
    yield await attempt('Redis is emptied ten times, and starts anew without its data', (scene) =>
      emptyRedis(scene, redis, { rounds: 10, everyMs: 1_000 }),
    );
    yield await attempt(`Redis answers nobody for ${redisAwayMs / 1_000} s`, (scene) =>
      stopRedis(scene, redis, { forMs: redisAwayMs, eventsPerSecond: 40 }),
    );
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const doomed = await start(`doomed-${signal}`);
      relays.push(doomed);
      const act: Act = (scene) => endOwner(scene, { url: doomed.url, end: () => doomed.end(signal) });
      const what = signal === 'SIGKILL' ? 'is killed' : 'drains';
      yield await attempt(`The instance of the world ${what}`, act, {
        worldUrl: doomed.url,
        urls: [...urls, doomed.url],
        tally: { from: 1, isOwnerKilled: signal === 'SIGKILL' },
      });
    }
  } finally {
    await Promise.all(relays.map((relay) => relay.end('SIGKILL')));
    await redis.stop();
  }
}

/** Below MODULE_FRAMES_PER_SECOND, above which the relay would hold the world back. */
const eventsPerSecond = 500;

async function sendEvenly({ world }: Scene, events: number): Promise<void> {
  world.setRate(eventsPerSecond);
  const expectedMs = (events / eventsPerSecond) * 1_000;
  await waitFor(() => world.sent() >= events, { timeoutMs: 2 * expectedMs + 10_000 });
  world.setRate(0);
}

async function startOne(databaseUrl: string, redis: TestRedis, instanceId: string): Promise<RelayProcess> {
  return await startRelayProcess({
    port: await findFreePort(),
    databaseUrl,
    redisUrl: redis.url,
    instanceId,
    env: {
      STREAMS_PER_KEY: '100000',
      STREAMS_PER_ACCOUNT: '100000',
      DRAIN_WAIT_MS: '500',
      DRAIN_SPREAD_MS: '4000',
      DRAIN_GRACE_MS: '3000',
      DATABASE_POOL: '5',
    },
  });
}

async function tryOne(
  name: string,
  act: Act,
  options: SceneOptions & { account: TestAccount },
): Promise<StreamTrial> {
  const startedAt = performance.now();
  const scene = await startScene(options);
  try {
    await act(scene);
    const problems = await scene.findProblems();
    const seconds = (performance.now() - startedAt) / 1_000;
    return { name, seconds, sent: scene.world.sent(), counts: scene.counts(), problems };
  } finally {
    scene.close();
  }
}
