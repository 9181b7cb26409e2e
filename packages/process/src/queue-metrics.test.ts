import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createQueueMetrics } from './queue-metrics.ts';

const some = { waiting: 3, active: 1, delayed: 2, failed: 4, oldestMs: 1_500 };

it('tells the depth of each queue, reads it once for a scrape, and leaves out what it cannot read', async () => {
  const registry = new Registry();
  let reads = 0;
  let isAway = false;
  createQueueMetrics(registry, {
    jobs: () => {
      reads++;
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve(some);
    },
  });
  // A second part of the same process.
  createQueueMetrics(registry, { silent: () => new Promise(() => {}) });
  const text = await registry.metrics();
  expect(reads).toBe(1);
  expect(text).toContain('job_queue_jobs{queue="jobs",state="waiting"} 3');
  expect(text).toContain('job_queue_jobs{queue="jobs",state="failed"} 4');
  expect(text).toContain('job_queue_oldest_seconds{queue="jobs"} 1.5');
  expect(text).toContain('job_queue_up{queue="jobs"} 1');
  expect(text).toContain('job_queue_up{queue="silent"} 0');
  expect(text).not.toContain('job_queue_jobs{queue="silent"');
  isAway = true;
  const later = await registry.metrics();
  expect(later).toContain('job_queue_up{queue="jobs"} 0');
  expect(later).not.toContain('job_queue_jobs{queue="jobs"');
}, 10_000);
