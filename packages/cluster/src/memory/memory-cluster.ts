import type { Cluster } from '../cluster.ts';
import { BusFailure } from '../failures.ts';
import { newBoot } from '../ids.ts';
import { createMemoryBroadcast } from './memory-broadcast.ts';
import { createMemoryBus } from './memory-bus.ts';
import { createMemoryDirectory } from './memory-directory.ts';
import type { MemoryHub } from './memory-hub.ts';
import { createMemoryHub } from './memory-hub.ts';

export interface MemoryClusterOptions {
  instanceId: string;
  /** Shared by the instances of one process. Default: a hub for this instance alone. */
  hub?: MemoryHub;
}

/** The cluster of an installation without Redis: all instances are in one process. */
export function createMemoryCluster(options: MemoryClusterOptions): Cluster {
  const { instanceId, hub = createMemoryHub() } = options;
  const boot = newBoot();
  const asked = new Set<(failure: BusFailure) => void>();

  return {
    boot,
    instanceId,
    directory: createMemoryDirectory(hub, boot),
    bus: createMemoryBus(hub, () => hub.members.has(boot)),
    broadcast: createMemoryBroadcast(hub),
    start: (instance) => {
      hub.members.set(boot, { boot, instanceId, instance, asked });
      return Promise.resolve();
    },
    stop: () => {
      hub.members.delete(boot);
      for (const [clientId, owner] of hub.owners) {
        if (owner.boot === boot && owner.movingUntil === undefined) hub.owners.delete(clientId);
      }
      for (const fail of asked) fail(new BusFailure('lost', true, 'the owner stopped'));
      return Promise.resolve();
    },
    health: () => ({ state: 'up' }),
  };
}
