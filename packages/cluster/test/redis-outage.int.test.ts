import { measureRunningTime } from '@tabletop-relay/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClusterUnavailable } from '../src/failures.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { defaultTimes } from '../src/redis/times.ts';
import { startInstance } from './conformance/fleet.ts';
import type { FaultFleet } from './fault-fleet.ts';
import { bodies, openFaultFleet, sampleAuthorities, soon, startPair } from './fault-fleet.ts';

const client = 'client-1';

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

describe('a Redis that is killed', () => {
  test('and comes back empty finds all claims again within 5 s, with owners acting throughout', async () => {
    const [asker, owner] = await startPair(fleet);
    const clients = Array.from({ length: 1_200 }, (_, index) => `${client}-${index}`);
    await Promise.all(clients.map((one) => owner.connect(one)));
    const authorities = sampleAuthorities([owner], clients[0] ?? '');
    await fleet.redis.kill();
    await vi.waitFor(
      () =>
        expect(asker.ask(clients[0] ?? '', 'x')).rejects.toMatchObject({
          reason: 'unavailable',
          sent: false,
        }),
      soon,
    );
    await vi.waitFor(() => expect(owner.cluster.directory.authority(clients[0] ?? '')).toBe('held'), soon);
    expect(asker.cluster.health().state).toBe('degraded');
    await fleet.redis.restart();
    const ranMs = measureRunningTime();
    await vi.waitFor(async () => {
      expect((await asker.cluster.directory.find(clients)).size).toBe(clients.length);
      expect(await asker.ask(clients[1_199] ?? '', 'back')).toBe('back');
    }, soon);
    expect(ranMs()).toBeLessThan(5_000);
    expect(asker.cluster.health()).toEqual({ state: 'up' });
    expect(owner.evicted).toEqual([]);
    expect(authorities.stop()).not.toContainEqual(['frozen']);
  });

  test('forgets no release that was made while it was away', async () => {
    const [asker, owner] = await startPair(fleet);
    const { conn } = await owner.connect(client);
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.health().state).toBe('degraded'), soon);
    await owner.disconnect(client, conn);
    owner.network.heal();
    await vi.waitFor(async () => expect((await asker.cluster.directory.find([client])).size).toBe(0), soon);
  });

  test('does not keep an instance from stopping', async () => {
    const [instance] = await startPair(fleet);
    await instance.connect(client);
    await fleet.redis.kill();
    const ranMs = measureRunningTime();
    await instance.cluster.stop();
    expect(ranMs()).toBeLessThan(3_000);
  });

  test('fails the start of an instance in time', async () => {
    await fleet.redis.kill();
    const late = createRedisCluster({
      instanceId: 'late',
      shards: [fleet.url],
      holds: fleet.holds,
      times: { startMs: 200 },
    });
    await expect(startInstance(late)).rejects.toThrow(ClusterUnavailable);
  });
});

describe('a Redis that nobody reaches for three leases', () => {
  test(
    'costs no owner its clients, and is used again within 5 s of its return',
    { timeout: 60_000 },
    async () => {
      const [asker, owner] = await startPair(fleet);
      await owner.connect(client);
      const authorities = sampleAuthorities([owner], client);
      asker.network.blackHole();
      owner.network.blackHole();
      await delay(3 * defaultTimes.leaseMs);
      expect(owner.cluster.directory.authority(client)).toBe('held');
      await expect(asker.ask(client, 'away')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
      asker.network.heal();
      owner.network.heal();
      const ranMs = measureRunningTime();
      await vi.waitFor(async () => expect(await asker.ask(client, 'back')).toBe('back'), soon);
      expect(ranMs()).toBeLessThan(5_000);
      expect(owner.evicted).toEqual([]);
      expect(bodies(owner)).toEqual(['back']);
      // No moment without authority: the claim is asserted again before the hold is over.
      expect(authorities.stop()).toEqual([['owner'], ['held'], ['owner']]);
    },
  );
});
