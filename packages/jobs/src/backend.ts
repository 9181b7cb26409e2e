import { createPostgresBackend, Queue, withBackend, Worker } from 'bullmq';
import type { Processor, QueueOptions, RedisOptions, WorkerOptions } from 'bullmq';

/** The store of the queue: Redis in production, Postgres in the embedded default. */
export type JobsConnection =
  | {
      redisUrl: string;
      /** Returns the current URL. Each new connection takes user and password from it. */
      reread?: (url: string) => string;
    }
  /** A database in which `migrateJobs` has created the queue's tables. */
  | { databaseUrl: string };

export interface Backend {
  createQueue(options: Partial<QueueOptions>): Queue;
  createWorker(processor: Processor, options: Partial<WorkerOptions>): Worker;
}

/** The queue of the workers. */
const workersQueue = 'jobs';
const prefix = 'r';

/** Opens BullMQ on the store of the connection. Queue and worker behave the same on both. */
export function openBackend(connection: JobsConnection, queueName = workersQueue): Backend {
  return 'redisUrl' in connection
    ? onRedis(connection, queueName)
    : onPostgres(connection.databaseUrl, queueName);
}

function onRedis(
  { redisUrl: url, reread }: Extract<JobsConnection, { redisUrl: string }>,
  queueName: string,
): Backend {
  const redial = reread ? { retryStrategy: takeCredentials(() => reread(url)) } : {};
  return {
    createQueue: (options) =>
      // The caller of `add` waits for it, so fail at once if Redis is away instead of queueing in this process.
      new Queue(queueName, {
        ...options,
        prefix,
        connection: { url, ...redial, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
      }),
    createWorker: (processor, options) =>
      new Worker(queueName, processor, {
        ...options,
        prefix,
        connection: { url, ...redial, maxRetriesPerRequest: null },
      }),
  };
}

/** ioredis calls this with its options as `this` before it connects again. */
function takeCredentials(currentUrl: () => string) {
  return function retryStrategy(this: RedisOptions, attempt: number): number {
    const { username, password } = new URL(currentUrl());
    if (username) this.username = decodeURIComponent(username);
    if (password) this.password = decodeURIComponent(password);
    // The same delays as BullMQ's own strategy.
    return Math.max(Math.min(Math.exp(attempt), 20_000), 1_000);
  };
}

function onPostgres(databaseUrl: string, queueName: string): Backend {
  const bound = withBackend(createPostgresBackend);
  const connection = { connectionString: databaseUrl, max: 3, keepAlive: true };
  return {
    createQueue: (options) => new bound.Queue(queueName, { ...options, connection }) as unknown as Queue,
    createWorker: (processor, options) =>
      new bound.Worker(queueName, processor, { ...options, connection }) as unknown as Worker,
  };
}
