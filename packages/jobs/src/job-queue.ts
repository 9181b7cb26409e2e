import type { Job, JobsOptions } from 'bullmq';
import { Value } from 'typebox/value';
import { openBackend } from './backend.ts';
import type { JobsConnection } from './backend.ts';
import { jobs } from './catalogue.ts';
import type { JobCatalogue, JobDefinition, JobName, JobPayload } from './catalogue.ts';
import { readDepth } from './queue-depth.ts';
import type { QueueDepth } from './queue-depth.ts';
import { createReadiness } from './readiness.ts';
import { minuteMs, tellOncePer } from './tell-once-per.ts';

/** Adds jobs. */
export interface JobQueue<C extends JobCatalogue = typeof jobs> {
  /**
   * Resolves when the job is stored. It then runs at least once, on any worker. Rejects when the store is away or when
   * the payload does not match the job's schema.
   */
  add<Name extends JobName<C>>(name: Name, payload: JobPayload<Name, C>, options?: AddOptions): Promise<void>;
  /**
   * Sees to it that each of these jobs is stored: one whose id is stored already stays as it is. With `hasten` it is due after
   * its `delayMs` at the latest. Rejects as `add` does.
   */
  ensure<Name extends JobName<C>>(
    name: Name,
    wanted: readonly WantedJob<JobPayload<Name, C>>[],
    options?: { hasten: boolean },
  ): Promise<void>;
  /**
   * Makes the stored schedules match the catalogue. Several processes may call it at the same time. `onlyMissing`: leaves those alone
   * that are stored, for a store that may have been emptied.
   */
  schedule(options?: { onlyMissing: boolean }): Promise<void>;
  /** Reads from the store what stands in the queue. Rejects when it is away. */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

export interface AddOptions {
  /** A job is not added if one with the same id is still stored. */
  id?: string;
  delayMs?: number;
}

export interface WantedJob<Payload> {
  id: string;
  payload: Payload;
  delayMs: number;
}

const keptS = { done: 3_600, failed: 7 * 86_400 };
const keptCount = 1_000;

export interface JobQueueOptions<C extends JobCatalogue> {
  connection: JobsConnection;
  log: { warn(fields: object, message: string): void };
  catalogue?: C;
  /** The workers' queue unless named. */
  queueName?: string;
  /** The longest wait for the store's first answer; ten seconds unless given. */
  readyMs?: number;
}

export function createJobQueue<C extends JobCatalogue = typeof jobs>(
  options: JobQueueOptions<C>,
): JobQueue<C> {
  const { connection, log, catalogue = jobs as unknown as C } = options;
  const queue = openBackend(connection, options.queueName).createQueue({});
  const whenReady = createReadiness(queue, options.readyMs);
  let isClosing = false;
  const tellLoss = tellOncePer(minuteMs, (message) =>
    log.warn({ reason: message, queue: queue.name }, 'the job queue lost its store'),
  );
  queue.on('error', ({ message }) => {
    if (!isClosing) tellLoss(message);
  });

  return {
    async add(name, payload, { id, delayMs } = {}) {
      checkPayload(catalogue, name, payload);
      await whenReady();
      await queue.add(name, payload, {
        ...retries(definitionOf(catalogue, name)),
        ...(id === undefined ? {} : { jobId: id }),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
      });
    },
    async ensure(name, wanted, { hasten } = { hasten: false }) {
      const opts = retries(definitionOf(catalogue, name));
      for (const { payload } of wanted) checkPayload(catalogue, name, payload);
      await whenReady();
      await queue.addBulk(
        wanted.map(({ id, payload, delayMs }) => ({
          name,
          data: payload,
          opts: { ...opts, jobId: id, delay: Math.max(0, Math.ceil(delayMs)) },
        })),
      );
      if (!hasten) return;
      for (const { id, delayMs } of wanted) await hastenJob(await queue.getJob(id), delayMs);
    },
    async schedule({ onlyMissing } = { onlyMissing: false }) {
      await whenReady();
      const stored = await queue.getJobSchedulers();
      const kept = new Set(onlyMissing ? stored.map(({ key }) => key) : []);
      for (const [name, definition] of Object.entries(catalogue)) {
        if (definition.schedule === undefined || kept.has(name)) continue;
        const { schedule: pattern } = definition;
        const upsert = () =>
          queue.upsertJobScheduler(
            name,
            { pattern, tz: 'UTC' },
            { name, data: {}, opts: retries(definition) },
          );
        // Two processes that schedule at the moment of a tick may both create the next job, and Postgres then refuses
        // the second one. A repetition finds the schedule in place.
        await upsert().catch(upsert);
      }
      for (const { key } of stored) {
        if (catalogue[key]?.schedule === undefined) await queue.removeJobScheduler(key);
      }
    },
    depth: () => readDepth(queue),
    close() {
      isClosing = true;
      return queue.close();
    },
  };
}

function definitionOf(catalogue: JobCatalogue, name: string): JobDefinition {
  const definition = catalogue[name];
  if (!definition) throw new TypeError(`there is no job ${name}`);
  return definition;
}

function checkPayload(catalogue: JobCatalogue, name: string, payload: unknown): void {
  if (!Value.Check(definitionOf(catalogue, name).payload, payload))
    throw new TypeError(`not a payload of the job ${name}`);
}

/** A job that waits for a worker, or runs, needs no haste. */
async function hastenJob(job: Job | undefined, delayMs: number): Promise<void> {
  if (!(await job?.isDelayed())) return;
  await job?.changeDelay(Math.max(0, Math.ceil(delayMs))).catch(async (error: unknown) => {
    // A worker may have taken it meanwhile.
    if (await job.isDelayed()) throw error;
  });
}

function retries({ attempts, backoffMs, untilDone }: JobDefinition): JobsOptions {
  if (untilDone)
    return {
      attempts,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: true,
      stackTraceLimit: 1,
    };
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: { age: keptS.done, count: keptCount },
    removeOnFail: { age: keptS.failed, count: keptCount },
  };
}
