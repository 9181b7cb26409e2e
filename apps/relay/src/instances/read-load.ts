import type { Cluster } from '@tabletop-relay/cluster';
import type { InstanceLoad } from '@tabletop-relay/contract';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { RelayMetrics } from '../metrics.ts';

/** What an instance measures of itself. */
export type MeasuredLoad = Omit<InstanceLoad, 'instanceId' | 'version' | 'worlds'>;

export interface LoadSources {
  cluster: Pick<Cluster, 'health'>;
  metrics: Pick<RelayMetrics, 'calls' | 'openStreams'>;
  draining: AbortSignal;
}

const delayResolutionMs = 20;

/** Reads the load of this process. Calls and work are those since the last reading. */
export function createReadLoad({ cluster, metrics, draining }: LoadSources): () => Promise<MeasuredLoad> {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delay.enable();
  let last = { at: performance.now(), calls: 0, loop: performance.eventLoopUtilization() };
  return async () => {
    const at = performance.now();
    const calls = total(await metrics.calls.get());
    const loop = performance.eventLoopUtilization();
    const minutes = Math.max(1, at - last.at) / 60_000;
    const busyShare = performance.eventLoopUtilization(loop, last.loop).utilization;
    const callsPerMinute = Math.round((calls - last.calls) / minutes);
    last = { at, calls, loop };
    // The histogram counts what passes between two of its timers: one that comes on time waits for nothing.
    const loopDelayMs = Math.max(0, Math.round(delay.percentile(99) / 1e6) - delayResolutionMs);
    delay.reset();
    const { state } = cluster.health();
    return {
      state: draining.aborted ? 'draining' : state === 'up' ? 'ready' : state,
      startedAt,
      streams: total(await metrics.openStreams.get()),
      callsPerMinute,
      busyShare: Number.isFinite(busyShare) ? Math.round(busyShare * 1_000) / 1_000 : 0,
      loopDelayMs,
      memoryBytes: process.memoryUsage.rss(),
    };
  };
}

const total = ({ values }: { values: readonly { value: number }[] }): number =>
  values.reduce((sum, { value }) => sum + value, 0);
