import { createPostgresBackend, Queue, withBackend, Worker } from 'bullmq';
import type { Processor, QueueOptions, WorkerOptions } from 'bullmq';

/** Where the queue lives: Redis in production, Postgres in the embedded default. */
export type JobsConnection =
  | { redisUrl: string }
  | {
      databaseUrl: string;
      /** Whether the queue's own tables are made and migrated at start. */
      migrate: boolean;
    };

export interface Backend {
  createQueue(options: Partial<QueueOptions>): Queue;
  createWorker(processor: Processor, options: Partial<WorkerOptions>): Worker;
}

const queueName = 'jobs';
const prefix = 'r';

/** BullMQ on the store that the connection names: the same code above it. */
export function openBackend(connection: JobsConnection): Backend {
  return 'redisUrl' in connection ? onRedis(connection.redisUrl) : onPostgres(connection);
}

function onRedis(url: string): Backend {
  return {
    createQueue: (options) =>
      // Whoever adds a job waits for it: away is said at once, not queued in this process.
      new Queue(queueName, {
        ...options,
        prefix,
        connection: { url, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
      }),
    createWorker: (processor, options) =>
      new Worker(queueName, processor, {
        ...options,
        prefix,
        connection: { url, maxRetriesPerRequest: null },
      }),
  };
}

function onPostgres({ databaseUrl, migrate }: Extract<JobsConnection, { databaseUrl: string }>): Backend {
  const bound = withBackend(createPostgresBackend);
  const connection = { connectionString: databaseUrl, migrate, max: 3, keepAlive: true };
  return {
    createQueue: (options) => new bound.Queue(queueName, { ...options, connection }) as unknown as Queue,
    createWorker: (processor, options) =>
      new bound.Worker(queueName, processor, { ...options, connection }) as unknown as Worker,
  };
}
