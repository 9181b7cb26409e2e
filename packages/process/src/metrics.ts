import { collectDefaultMetrics, Registry } from 'prom-client';

/** Makes a registry for one instance, with the metrics of the process (CPU, memory, event loop lag). */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
