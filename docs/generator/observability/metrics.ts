import { createBusMetrics } from '../../../apps/relay/src/instances/bus-metrics.ts';
import { createRelayMetrics, createStateMetrics } from '../../../apps/relay/src/metrics.ts';
import { createHostMetrics } from '../../../apps/browser-host/src/host-metrics.ts';
import { createWorkerMetrics, tellQueues } from '../../../apps/worker/src/jobs/worker-metrics.ts';
import { createTraffic } from '../../../packages/cluster/src/index.ts';
import { createLogger, createMetrics, createQueueMetrics } from '../../../packages/process/src/index.ts';
import { code, codes, page, table } from '../markdown.ts';

type Registry = ReturnType<typeof createMetrics>;

interface MetricFacts {
  name: string;
  help: string;
  type: string;
  labels: readonly string[];
}

const depth = () => Promise.reject(new Error('nothing is read'));

/** The metrics that each process serves on `OPS_PORT`, read from the objects that count them. */
export const relayMetrics = factsOf((registry) => {
  createRelayMetrics(registry);
  createStateMetrics(registry, {
    isReady: () => true,
    redisState: () => 'up',
    postgresHealth: () => Promise.resolve('up'),
    lackingSecret: () => 0,
    pool: () => ({ busy: 0, idle: 0, waiting: 0 }),
    processes: () => Promise.resolve({}),
  });
  createBusMetrics(registry, createTraffic());
  createQueueMetrics(registry, { jobs: depth });
});
export const workerMetrics = factsOf((registry) => {
  createWorkerMetrics(registry);
  tellQueues(registry, { jobs: depth, notifications: depth });
});
export const hostMetrics = factsOf((registry) => createHostMetrics(registry, { sessions: new Set(), depth }));
export const processMetrics = factsOf((registry) => {
  createLogger({ name: 'reference', level: 'silent', pretty: false, registry });
}, createMetrics());

/** `docs/reference/metrics.md`. */
export function metricsPage(): string {
  return page(
    'Metrics',
    'the metrics of each app',
    'Each process serves Prometheus text at `/metrics` of `OPS_PORT`. Labels are closed sets: never an id, an address or a name that somebody chose. A histogram has `_bucket`, `_sum` and `_count`. What to look at: `deploy/observability`; when to be woken: [alerts](alerts.md).',
    `## Relay\n\n${metricTable(relayMetrics)}`,
    `## Worker\n\n${metricTable(workerMetrics)}`,
    `## Browser host\n\n${metricTable(hostMetrics)}`,
    `## Every process\n\n${metricTable(processMetrics)}`,
  );
}

function factsOf(add: (registry: Registry) => unknown, registry = emptyRegistry()): MetricFacts[] {
  add(registry);
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type, labelNames } = metric as unknown as {
      name: string;
      help: string;
      type?: string;
      labelNames: string[];
    };
    return { name, help, type: type ?? metric.constructor.name.toLowerCase(), labels: labelNames };
  });
}

function emptyRegistry(): Registry {
  const registry = createMetrics();
  registry.clear();
  return registry;
}

function metricTable(metrics: readonly MetricFacts[]): string {
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    metrics.map(({ name, type, labels, help }) => [code(name), type, codes(labels), help]),
  );
}
