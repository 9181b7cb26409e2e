import { describeCluster } from './conformance/cluster.ts';
import { testBounds, testReservations } from './conformance/fleet.ts';
import { createMemoryCluster } from '../src/memory/memory-cluster.ts';
import { createMemoryHub } from '../src/memory/memory-hub.ts';

describeCluster('the memory of one process', () => {
  const hub = createMemoryHub();
  return Promise.resolve({
    createCluster: (instanceId) =>
      createMemoryCluster({ instanceId, hub, streams: testBounds, reservations: testReservations }),
    close: () => Promise.resolve(),
  });
});
