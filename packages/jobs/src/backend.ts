import { createPostgresBackend, Queue, withBackend, Worker } from 'bullmq';
import type { Processor, QueueOptions, RedisOptions, WorkerOptions } from 'bullmq';

/** Where the queue lives: Redis in production, Postgres in the embedded default. */
export type JobsConnection =
  | {
      redisUrl: string;
      /** What the URL is by now: its user and password are taken from it at each dial. */
      reread?: (url: string) => string;
    }
  /** A database in which `migrateJobs` made the queue's tables. */
  | { databaseUrl: string };

export interface Backend {
  createQueue(options: Partial<QueueOptions>): Queue;
  createWorker(processor: Processor, options: Partial<WorkerOptions>): Worker;
}

const queueName = 'jobs';
const prefix = 'r';

/** BullMQ on the store that the connection names: the same code above it. */
export function openBackend(connection: JobsConnection): Backend {
  return 'redisUrl' in connection ? onRedis(connection) : onPostgres(connection.databaseUrl);
}

function onRedis({ redisUrl: url, reread }: Extract<JobsConnection, { redisUrl: string }>): Backend {
  const redial = reread ? { retryStrategy: takeCredentials(() => reread(url)) } : {};
  return {
    createQueue: (options) =>
      // Whoever adds a job waits for it: away is said at once, not queued in this process.
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

/** ioredis calls it on the options of the connection that it is about to dial again. */
function takeCredentials(currentUrl: () => string) {
  return function retryStrategy(this: RedisOptions, attempt: number): number {
    const { username, password } = new URL(currentUrl());
    if (username) this.username = decodeURIComponent(username);
    if (password) this.password = decodeURIComponent(password);
    // As BullMQ's own does.
    return Math.max(Math.min(Math.exp(attempt), 20_000), 1_000);
  };
}

function onPostgres(databaseUrl: string): Backend {
  const bound = withBackend(createPostgresBackend);
  const connection = { connectionString: databaseUrl, max: 3, keepAlive: true };
  return {
    createQueue: (options) => new bound.Queue(queueName, { ...options, connection }) as unknown as Queue,
    createWorker: (processor, options) =>
      new bound.Worker(queueName, processor, { ...options, connection }) as unknown as Worker,
  };
}
