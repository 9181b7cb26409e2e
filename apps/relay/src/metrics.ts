import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

export type RelayMetrics = ReturnType<typeof createRelayMetrics>;

/** What this instance counts. Labels are closed sets: operations, codes, never ids or addresses. */
export function createRelayMetrics(registry: Registry) {
  const registers = [registry];
  return {
    calls: new Counter({
      name: 'relay_calls_total',
      help: 'Relayed calls by operation and outcome (ok or error code).',
      labelNames: ['operation', 'outcome'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'relay_call_seconds',
      help: 'Seconds from the accepted call to its answer, the world’s own time included.',
      labelNames: ['operation'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
    connectedClients: new Gauge({
      name: 'relay_connected_clients',
      help: 'Worlds whose socket this instance holds.',
      registers,
    }),
    connections: new Counter({
      name: 'relay_connections_total',
      help: 'Attempts of modules to connect, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    repliesDropped: new Counter({
      name: 'relay_replies_dropped_total',
      help: 'Replies that nobody waited for: late, or with an unknown id.',
      registers,
    }),
    framesRefused: new Counter({
      name: 'relay_frames_refused_total',
      help: 'Frames of modules that could not be used, by code.',
      labelNames: ['code'] as const,
      registers,
    }),
  };
}
