import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry of its own for each instance, with the process's metrics (CPU, memory, event loop lag) in it. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
