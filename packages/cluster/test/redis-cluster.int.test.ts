import { startRedis } from '@tabletop-relay/testing';
import { describeCluster } from './conformance/cluster.ts';
import { testBounds, testReservations } from './conformance/fleet.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';

const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };

for (const count of [1, 3]) {
  describeCluster(`${count} Redis`, async () => {
    const servers = await Promise.all(Array.from({ length: count }, () => startRedis()));
    const shards = servers.map(({ url }) => url);
    return {
      createCluster: (instanceId) =>
        createRedisCluster({
          instanceId,
          shards,
          holds,
          streams: testBounds,
          reservations: testReservations,
        }),
      close: async () => {
        await Promise.all(servers.map((server) => server.stop()));
      },
    };
  });
}
