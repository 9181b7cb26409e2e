import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What a browser host counts. `sessions` are those that it runs. */
export function createHostMetrics(registry: Registry, sessions: { readonly size: number }) {
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
