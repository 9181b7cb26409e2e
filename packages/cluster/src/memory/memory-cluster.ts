import type { Cluster } from '../cluster.ts';
import { BusFailure } from '../failures.ts';
import { newBoot } from '../ids.ts';
import { defaultReservationBounds } from '../reservations.ts';
import type { ReservationBounds } from '../reservations.ts';
import { createStreams } from '../streams/create-streams.ts';
import { defaultStreamBounds } from '../streams/streams.ts';
import type { StreamBounds } from '../streams/streams.ts';
import { createMemoryBroadcast } from './memory-broadcast.ts';
import { createMemoryBus } from './memory-bus.ts';
import { createMemoryDirectory, tellStandbys } from './memory-directory.ts';
import type { MemoryHub } from './memory-hub.ts';
import { createMemoryHub } from './memory-hub.ts';
import { createMemoryReservations } from './memory-reservations.ts';
import { createMemorySeats } from './memory-seats.ts';
import { createMemoryStandbys } from './memory-standbys.ts';
import { createMemoryTickets } from './memory-tickets.ts';
import { createMemoryStreamStore } from './streams/memory-stream-store.ts';
import { forgetIdleStreams } from './streams/stream-listeners.ts';

export interface MemoryClusterOptions {
  instanceId: string;
  /** Shared by the instances of one process. Default: a hub for this instance alone. */
  hub?: MemoryHub;
  streams?: Partial<StreamBounds>;
  reservations?: ReservationBounds;
}

const forgetMs = 60_000;
const flushMs = 1_000;

/** The cluster of an installation without Redis: all instances are in one process. */
export function createMemoryCluster(options: MemoryClusterOptions): Cluster {
  const { instanceId, hub = createMemoryHub() } = options;
  const boot = newBoot();
  const calls = new Set<(failure: BusFailure) => void>();
  const bounds = { ...defaultStreamBounds, ...options.streams };
  const store = createMemoryStreamStore({ hub, boot, bounds, events: () => streams.events[0]! });
  const streams = createStreams([store], () => 0, bounds);
  const seats = createMemorySeats(hub);
  const standbys = createMemoryStandbys({ hub, boot, handoverMs: bounds.handoverMs });
  let timer: NodeJS.Timeout | undefined;

  return {
    boot,
    instanceId,
    directory: createMemoryDirectory(hub, boot, bounds.handoverMs),
    standbys,
    bus: createMemoryBus(hub, () => hub.members.has(boot)),
    broadcast: createMemoryBroadcast(hub),
    streams,
    seats,
    tickets: createMemoryTickets(hub),
    reservations: createMemoryReservations(hub, options.reservations ?? defaultReservationBounds),
    start: (instance) => {
      streams.start();
      standbys.start();
      timer = setInterval(() => forgetIdleStreams(hub), forgetMs);
      hub.members.set(boot, { boot, instanceId, instance, calls });
      return Promise.resolve();
    },
    stop: async () => {
      clearInterval(timer);
      standbys.stop();
      await streams.stop(flushMs);
      seats.stop();
      hub.streamEvents.delete(boot);
      hub.members.delete(boot);
      for (const [clientId, owner] of hub.owners) {
        if (owner.boot !== boot || owner.movingUntil !== undefined) continue;
        hub.owners.delete(clientId);
        tellStandbys(hub, clientId);
      }
      for (const fail of calls) fail(new BusFailure('lost', true, 'the owner stopped'));
    },
    health: () => ({ state: 'up', isAlone: true }),
    readings: () => ({}),
  };
}
