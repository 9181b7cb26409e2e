import { createQueueMetrics } from '@tabletop-relay/process';
import type { QueueDepth } from '@tabletop-relay/process';
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

export interface WorkerQueues {
  jobs(): Promise<QueueDepth>;
  notifications(): Promise<QueueDepth>;
}

/** Tells at each scrape what stands in the queues that workers serve. */
export function tellQueues(registry: Registry, { jobs, notifications }: WorkerQueues): void {
  createQueueMetrics(registry, { jobs, notifications });
}

/** What a worker counts. Labels are closed sets: the jobs of the catalogue and how a try ended. */
export function createWorkerMetrics(registry: Registry) {
  return {
    tries: new Counter({
      name: 'worker_jobs_total',
      help: 'Tries of jobs by name and outcome (done, retried, failed).',
      labelNames: ['job', 'outcome'] as const,
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'worker_job_seconds',
      help: 'Seconds that a try took.',
      labelNames: ['job'] as const,
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 300],
      registers: [registry],
    }),
  };
}
