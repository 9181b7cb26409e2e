import type { TestRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { setTimeout as wait } from 'node:timers/promises';
import type { Scene } from './scene.ts';

/** Connections of listeners are cut, each time of others, while events come. */
export async function cutListeners(
  { world, followers }: Scene,
  { rounds, everyMs, eventsPerSecond = 200 }: { rounds: number; everyMs: number; eventsPerSecond?: number },
): Promise<void> {
  world.setRate(eventsPerSecond);
  for (let round = 0; round < rounds; round++) {
    for (const [index, follower] of followers.entries()) if ((index + round) % 3 === 0) follower.cut();
    await wait(everyMs);
  }
}

/** Redis loses everything while it runs, again and again, and then once more by a restart. */
export async function emptyRedis(
  { world, followers }: Scene,
  redis: TestRedis,
  { rounds, everyMs }: { rounds: number; everyMs: number },
): Promise<void> {
  world.setRate(200);
  const client = new Redis(redis.url);
  for (let round = 0; round < rounds; round++) {
    await wait(everyMs);
    await client.flushall();
    followers[round % followers.length]?.cut();
  }
  client.disconnect();
  await redis.restart();
  await wait(everyMs);
}

/** Redis answers nobody for so long, while listeners are cut. Events above what an owner keeps would be lost: so few come. */
export async function stopRedis(
  { world, followers }: Scene,
  redis: TestRedis,
  { forMs, eventsPerSecond }: { forMs: number; eventsPerSecond: number },
): Promise<void> {
  world.setRate(eventsPerSecond);
  await wait(300);
  process.kill(redis.pid, 'SIGSTOP');
  const until = performance.now() + forMs;
  for (let round = 0; performance.now() < until; round++) {
    followers[round % 5]?.cut();
    await wait(500);
  }
  process.kill(redis.pid, 'SIGCONT');
  await wait(1_000);
}

/** The instance that has the world, and some of its listeners, ends. */
export async function endOwner(
  scene: Scene,
  owner: { url: string; end: () => Promise<unknown> },
): Promise<void> {
  const { world } = scene;
  world.setRate(200);
  const before = world.sent();
  while (world.sent() < before + 100) await wait(10);
  scene.avoid(owner.url);
  await owner.end();
}
