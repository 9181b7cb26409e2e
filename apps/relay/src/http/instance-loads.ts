import type { Cluster } from '@tabletop-relay/cluster';
import { instanceEndpoints } from '@tabletop-relay/contract';
import type { InstanceLoad } from '@tabletop-relay/contract';
import { performance } from 'node:perf_hooks';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import type { RelayMetrics } from '../metrics.ts';

const topic = 'load';
const tellMs = 5_000;
/** Who told nothing for so long is gone, or cannot be heard. */
const forgetMs = 20_000;
/** More than any cluster has; a list that is shown has an end. */
const maxInstances = 500;

interface Told {
  boot: string;
  load: InstanceLoad;
}

/** What all instances tell of their load. */
export interface InstanceLoads {
  endpoints: ServedEndpoint[];
  list(): InstanceLoad[];
  /** Begins to tell the load of this instance. Returns what ends it. */
  start(): () => void;
}

interface Sharing {
  cluster: Pick<Cluster, 'boot' | 'broadcast'>;
  /** The figures of this instance, as they are now. */
  read: () => Promise<InstanceLoad>;
  now: () => number;
}

/** Every instance tells the others its figures, so that any of them can show all. Best effort: what is lost comes again. */
export function shareLoads({ cluster, read, now }: Sharing): InstanceLoads {
  const known = new Map<string, { load: InstanceLoad; at: number }>();
  const forget = () => {
    for (const [boot, { at }] of known) if (now() - at > forgetMs) known.delete(boot);
  };
  cluster.broadcast.subscribe(topic, (message) => {
    const { boot, load } = JSON.parse(message) as Told;
    forget();
    if (known.has(boot) || known.size < maxInstances) known.set(boot, { load, at: now() });
  });
  const tell = async () => {
    const told: Told = { boot: cluster.boot, load: await read() };
    await cluster.broadcast.publish(topic, JSON.stringify(told));
  };
  const list = () => {
    forget();
    return [...known.values()]
      .map(({ load }) => load)
      .toSorted((one, other) => one.instanceId.localeCompare(other.instanceId));
  };
  return {
    endpoints: serve(instanceEndpoints, { listInstances: () => ({ items: list() }) }),
    list,
    start() {
      const tellQuietly = () => void tell().catch(() => {});
      tellQuietly();
      const timer = setInterval(tellQuietly, tellMs).unref();
      return () => clearInterval(timer);
    },
  };
}

interface LoadSources {
  cluster: Pick<Cluster, 'boot' | 'broadcast' | 'instanceId' | 'health'>;
  version: string;
  metrics: Pick<RelayMetrics, 'calls' | 'openStreams'>;
  clients: { readonly size: number };
  isDraining: () => boolean;
}

export const createInstanceLoads = (sources: LoadSources): InstanceLoads =>
  shareLoads({ cluster: sources.cluster, read: createReadLoad(sources), now: Date.now });

/** Reads the load of this process. Calls and work are those since the last reading. */
function createReadLoad({
  cluster,
  version,
  metrics,
  clients,
  isDraining,
}: LoadSources): () => Promise<InstanceLoad> {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  let last = { at: performance.now(), calls: 0, loop: performance.eventLoopUtilization() };
  return async () => {
    const at = performance.now();
    const calls = total(await metrics.calls.get());
    const loop = performance.eventLoopUtilization();
    const minutes = Math.max(1, at - last.at) / 60_000;
    const busyShare = performance.eventLoopUtilization(loop, last.loop).utilization;
    const callsPerMinute = Math.round((calls - last.calls) / minutes);
    last = { at, calls, loop };
    const { state } = cluster.health();
    return {
      instanceId: cluster.instanceId,
      version,
      state: isDraining() ? 'draining' : state === 'up' ? 'ready' : state,
      startedAt,
      worlds: clients.size,
      streams: total(await metrics.openStreams.get()),
      callsPerMinute,
      busyShare: Number.isFinite(busyShare) ? Math.round(busyShare * 1_000) / 1_000 : 0,
      memoryBytes: process.memoryUsage.rss(),
    };
  };
}

const total = ({ values }: { values: readonly { value: number }[] }): number =>
  values.reduce((sum, { value }) => sum + value, 0);
