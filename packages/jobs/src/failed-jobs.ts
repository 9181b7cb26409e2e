import { openBackend } from './backend.ts';
import type { JobsConnection } from './backend.ts';

/** The queues whose jobs may be given up, as `createJobQueue` names them. */
const queueNames = ['jobs', 'notifications'] as const;

export interface FailedJob {
  queue: string;
  id: string;
  name: string;
  tries: number;
  reason: string;
  failedAt: Date | null;
}

/** Jobs that were given up after their last try, of each queue the newest first and at most `limit`. */
export async function readFailedJobs(connection: JobsConnection, limit: number): Promise<FailedJob[]> {
  const found: FailedJob[] = [];
  for (const queueName of queueNames) {
    await withQueue(connection, queueName, async (queue) => {
      for (const job of await queue.getFailed(0, limit - 1)) {
        found.push({
          queue: queueName,
          id: job.id ?? '',
          name: job.name,
          tries: job.attemptsMade,
          reason: job.failedReason ?? '',
          failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
        });
      }
    });
  }
  return found;
}

/** Queues a given-up job again. False where there is none by that id. */
export async function retryFailedJob(
  connection: JobsConnection,
  { queue: queueName, id }: { queue: string; id: string },
): Promise<boolean> {
  if (!queueNames.some((name) => name === queueName)) return false;
  return await withQueue(connection, queueName, async (queue) => {
    const job = await queue.getJob(id);
    if (!job || !(await job.isFailed())) return false;
    await job.retry('failed');
    return true;
  });
}

type Queue = ReturnType<ReturnType<typeof openBackend>['createQueue']>;

async function withQueue<T>(
  connection: JobsConnection,
  queueName: string,
  use: (queue: Queue) => Promise<T>,
): Promise<T> {
  const queue = openBackend(connection, queueName).createQueue({});
  // Without a listener the error would end the process; the call that meets it rejects.
  queue.on('error', () => {});
  try {
    await queue.waitUntilReady();
    return await use(queue);
  } finally {
    await queue.close();
  }
}
