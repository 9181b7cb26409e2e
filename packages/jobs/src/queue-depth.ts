import type { Queue } from 'bullmq';

/** What stands in a queue, and how long the job that has been due for longest waits for a worker. */
export interface QueueDepth {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  oldestMs: number;
}

export async function readDepth(queue: Queue, now = Date.now()): Promise<QueueDepth> {
  const [counts, [oldest], [next]] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
    queue.getJobs(['delayed'], 0, 0, true),
  ]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  // A job of a schedule is made long before it is due, and one that is tried again waits since its last try.
  const dueAt = oldest ? Math.max(oldest.timestamp + (oldest.opts.delay ?? 0), oldest.processedOn ?? 0) : now;
  // Workers alone make a delayed job a waiting one: without any it stays delayed after its time.
  const nextDueAt = next ? Math.max(next.timestamp, next.processedOn ?? 0) + next.delay : now;
  return { waiting, active, delayed, failed, oldestMs: Math.max(0, now - dueAt, now - nextDueAt) };
}
