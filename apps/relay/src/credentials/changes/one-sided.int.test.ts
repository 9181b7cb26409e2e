import { createMemoryCluster, createMemoryHub } from '@tabletop-relay/cluster';
import type { Broadcast, MemoryHub } from '@tabletop-relay/cluster';
import { connectDatabase } from '@tabletop-relay/database';
import { createTestDatabase, startPostgresProxy } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { changeCredentials, createCredentialFeed } from './credential-feed.ts';
import type { CredentialEvent, CredentialFeed } from './credential-feed.ts';

const log = pino({ level: 'silent' });
let tests = 0;
let accountId = '';
beforeEach(() => void (accountId = `account-${++tests}`));
const revoked = (subjectId: string) => ({ accountId, subject: 'key', subjectId, change: 'revoked' }) as const;

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

interface Instance {
  feed: CredentialFeed;
  heard: string[];
  redis: { isAway: boolean };
  losePostgres(): void;
  revoke(id: string): Promise<void>;
}

/** A feed with its own networks to Postgres and to the others. */
async function start(hub: MemoryHub, trustMs: number): Promise<Instance> {
  const { url, network } = await startPostgresProxy(database.url);
  const db = connectDatabase({ url, poolSize: 3, log });
  const redis = { isAway: false };
  const feed = createCredentialFeed({
    db, broadcast: severable(hub, redis), log, pollMs: 20, freshMs: 700,
    settings: { credentialTrustMs: trustMs },
  }); // prettier-ignore
  await feed.start();
  onTestFinished(async () => {
    network.heal();
    await feed.stop();
    await db.destroy();
    await network.close();
  });
  const heard: string[] = [];
  feed.subscribe('any', (event: CredentialEvent) => {
    // It also hears of the ten seconds before.
    if (event.accountId === accountId) heard.push(event.subjectId);
  });
  return {
    feed,
    heard,
    redis,
    losePostgres: () => network.refuse(),
    revoke: (id) => feed.change((_trx, announce) => Promise.resolve(announce(revoked(id)))),
  };
}

function severable(hub: MemoryHub, redis: { isAway: boolean }): Broadcast {
  const { broadcast } = createMemoryCluster({ instanceId: 'test', hub });
  return {
    publish: (topic, message) =>
      redis.isAway ? Promise.reject(new Error('Redis is away')) : broadcast.publish(topic, message),
    subscribe: (topic, listener) =>
      broadcast.subscribe(topic, (message) => redis.isAway || listener(message)),
    onGap: broadcast.onGap,
  };
}

async function startPair(trustMs: number) {
  const hub = createMemoryHub();
  const [publisher, believer] = [await start(hub, trustMs), await start(hub, trustMs)];
  return { hub, publisher, believer };
}

const passes = async (ms: number) => {
  const since = performance.now();
  await expect.poll(() => performance.now() - since > ms, { timeout: 15_000 }).toBe(true);
};

/** Whether a feed is not fresh at some moment from now on. */
function watchFreshness({ feed }: Instance) {
  let wasStale = false;
  const timer = setInterval(() => (wasStale ||= !feed.isFresh()), 5);
  return {
    wasStale() {
      clearInterval(timer);
      return wasStale;
    },
  };
}

describe('a change by an instance that only Postgres is left to', () => {
  it('is hidden from one that only Redis is left to for the time of trust, and not longer', async () => {
    const trustMs = 2_500;
    const { publisher, believer } = await startPair(trustMs);
    publisher.redis.isAway = true;
    const blindAt = performance.now();
    believer.losePostgres();
    await publisher.revoke('hidden');
    await passes(1_100);
    // Its own beats come back, so it believes that it hears everything.
    expect([believer.feed.isFresh(), believer.heard]).toEqual([true, []]);
    await expect.poll(() => believer.feed.isFresh(), { interval: 5 }).toBe(false);
    expect(performance.now() - blindAt).toBeGreaterThan(trustMs - 100);
    expect([publisher.feed.isFresh(), believer.heard]).toEqual([true, []]);
  });

  it('is told by a third that both are left to, which keeps the trust up', async () => {
    const { hub, publisher, believer } = await startPair(1_600);
    await start(hub, 1_600);
    const freshness = watchFreshness(believer);
    publisher.redis.isAway = true;
    believer.losePostgres();
    await publisher.revoke('told on');
    // The command line has no Redis at all.
    await changeCredentials(connected(), (_trx, announce) =>
      Promise.resolve(announce(revoked('by command'))),
    );
    await expect.poll(() => believer.heard).toEqual(['told on', 'by command']);
    await passes(2_400);
    expect(freshness.wasStale()).toBe(false);
  });

  it('ends the trust of who missed it as soon as Redis is back', async () => {
    const { publisher, believer } = await startPair(600_000);
    publisher.redis.isAway = true;
    believer.losePostgres();
    await publisher.revoke('missed');
    await passes(1_100);
    expect(believer.feed.isFresh()).toBe(true);
    publisher.redis.isAway = false;
    await expect.poll(() => believer.feed.isFresh()).toBe(false);
    expect(publisher.feed.isFresh()).toBe(true);
  });
});

function connected() {
  const db = connectDatabase({ url: database.url, poolSize: 1, log });
  onTestFinished(() => db.destroy());
  return db;
}
