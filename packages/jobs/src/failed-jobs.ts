import { openBackend } from './backend.ts';
import type { JobsConnection } from './backend.ts';
import { readDepth } from './queue-depth.ts';
import type { QueueDepth } from './queue-depth.ts';
import { answerWithin, createReadiness } from './readiness.ts';

/** The queue of browser hosts, which `packages/headless` names too. */
const hostsQueue = 'headless';

/** What stands in each queue. Rejects where the store does not answer. */
export async function readQueues(connection: JobsConnection): Promise<(QueueDepth & { name: string })[]> {
  const names = [...workerQueues, hostsQueue];
  return await Promise.all(
    names.map((name) =>
      withQueue(connection, name, async (queue) => ({ name, ...(await readDepth(queue)) })),
    ),
  );
}

/** The queues of workers, whose jobs may be given up, as `createJobQueue` names them. */
export const workerQueues = ['jobs', 'notifications'] as const;

export interface FailedJob {
  queue: string;
  id: string;
  name: string;
  tries: number;
  reason: string;
  failedAt: Date | null;
}

/**
 * Jobs that were given up after their last try, of each queue the newest first and at most `limit`. Rejects where the store
 * does not answer.
 */
export async function readFailedJobs(connection: JobsConnection, limit: number): Promise<FailedJob[]> {
  const read = (queueName: string) =>
    withQueue(connection, queueName, async (queue) =>
      (await queue.getFailed(0, limit - 1)).map((job) => ({
        queue: queueName,
        id: job.id ?? '',
        name: job.name,
        tries: job.attemptsMade,
        reason: job.failedReason ?? '',
        failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
      })),
    );
  return (await Promise.all(workerQueues.map(read))).flat();
}

/** Queues a given-up job again. False where there is none by that id. Rejects where the store does not answer. */
export async function retryFailedJob(
  connection: JobsConnection,
  { queue: queueName, id }: { queue: string; id: string },
): Promise<boolean> {
  if (!workerQueues.some((name) => name === queueName)) return false;
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
  const whenReady = createReadiness(queue, firstAnswerMs);
  try {
    await whenReady();
    return await answerWithin(answersMs, use(queue));
  } finally {
    await leave(queue);
  }
}

/** The longest wait for the first answer of the store: whoever asks sits at a terminal. */
const firstAnswerMs = 4_000;
/** A store may stop answering after its first answer, too. */
const answersMs = 10_000;

/** A store that has stopped answering does not answer a farewell either. */
async function leave(queue: Queue): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, farewellMs);
  await Promise.race([queue.close(), late]);
  clearTimeout(timer);
  void queue.disconnect().catch(() => {});
}

const farewellMs = 500;
