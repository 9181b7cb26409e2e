import { createQueueMetrics } from '@tabletop-relay/process';
import type { QueueDepth } from '@tabletop-relay/process';
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

export interface HostFacts {
  /** Those that it runs. */
  sessions: { readonly size: number };
  /** What stands in the queue of sessions. */
  depth(): Promise<QueueDepth>;
}

/** What a browser host counts, and what it tells of its queue. */
export function createHostMetrics(registry: Registry, { sessions, depth }: HostFacts) {
  createQueueMetrics(registry, { sessions: depth });
  const running = new Gauge({
    name: 'browser_host_sessions',
    help: 'Headless sessions that this host runs.',
    registers: [registry],
    collect() {
      this.set(sessions.size);
    },
  });
  const left = new Counter({
    name: 'browser_host_sessions_total',
    help: 'Headless sessions that left this host, by how (ended, failed, handed_over).',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  return { running, left };
}
