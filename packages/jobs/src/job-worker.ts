import { DelayedError } from 'bullmq';
import type { Job, Worker } from 'bullmq';
import { Value } from 'typebox/value';
import { openBackend } from './backend.ts';
import type { JobsConnection } from './backend.ts';
import { jobs } from './catalogue.ts';
import type { JobCatalogue, JobName, JobPayload } from './catalogue.ts';
import { leaveToOthers, usualPutBack } from './leave-to-others.ts';
import type { PutBack } from './leave-to-others.ts';
import { createReadiness } from './readiness.ts';
import { minuteMs, tellOncePer } from './tell-once-per.ts';

/** A handler may run again after a crash or a failed try. In the worst case it runs on two workers at the same time. */
export type JobHandlers<C extends JobCatalogue = typeof jobs> = {
  [Name in JobName<C>]: (
    payload: JobPayload<Name, C>,
    run: JobRun<JobPayload<Name, C>>,
  ) => Promise<NextAttempt | void>;
};

/** What the handler of an `untilDone` job resolves with while the job is not over. */
export interface NextAttempt {
  inMs: number;
  /** Whether this run was an attempt. Otherwise the number of the next attempt stays as it is. */
  wasAttempt: boolean;
}

export interface JobRun<Payload = unknown> {
  /** Aborts when the try exceeds the job's time-out. */
  signal: AbortSignal;
  /** The first try is 1. */
  attempt: number;
  /** Stores another payload in place of the job's: what a further try gets, and what is kept of the job. */
  replacePayload(payload: Payload): Promise<void>;
}

export interface JobWorker {
  isRunning(): boolean;
  /** Takes no further job, except one that is being fetched. Resolves when all running jobs have ended. */
  close(): Promise<void>;
}

export interface JobWorkerOptions<C extends JobCatalogue> {
  connection: JobsConnection;
  handlers: JobHandlers<C>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** How many jobs run at the same time in this process. */
  concurrency?: number;
  catalogue?: C;
  /** The workers' queue unless named. */
  queueName?: string;
  /** How long a worker that stopped answering keeps its jobs; half a minute unless given. */
  lockMs?: number;
  /** How often a job that this version cannot read is left to another worker, each time for so long. */
  putBack?: PutBack;
  /** As for a queue. */
  readyMs?: number;
  /** Called after each try. */
  onEnd?: (name: string, outcome: 'done' | 'retried' | 'failed', ms: number) => void;
}

/** Runs jobs until it is closed. Resolves when the store answers, and rejects when it does not in time. */
export async function startJobWorker<C extends JobCatalogue = typeof jobs>(
  options: JobWorkerOptions<C>,
): Promise<JobWorker> {
  const { connection, log, concurrency = 5, catalogue = jobs as unknown as C } = options;
  const { putBack = usualPutBack } = options;
  const handlers = options.handlers as Record<
    string,
    (payload: unknown, run: JobRun) => Promise<NextAttempt | void>
  >;

  async function work(job: Job, token: string | undefined): Promise<void> {
    const definition = catalogue[job.name];
    const handle = handlers[job.name];
    if (!definition || !handle)
      return await leaveToOthers({ job, token }, `no worker of this release knows ${job.name}`, putBack);
    if (!Value.Check(definition.payload, job.data))
      return await leaveToOthers({ job, token }, 'not a payload of this job', putBack);
    const signal = AbortSignal.timeout(definition.timeoutMs);
    const run: JobRun = {
      signal,
      attempt: job.attemptsMade + 1,
      replacePayload: (payload) => job.updateData(payload),
    };
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`not done in ${definition.timeoutMs} ms`)));
    });
    const attempt = Promise.race([handle(job.data, run), late]);
    if (definition.untilDone) await followAttempt({ job, token, log }, definition.backoffMs, attempt);
    else await attempt;
  }

  const worker = openBackend(connection, options.queueName).createWorker(work, {
    concurrency,
    maxStalledCount: 3,
    settings: {
      backoffStrategy: (_attempt, _type, error) => (error instanceof AttemptFailed ? error.inMs : 0),
    },
    ...(options.lockMs && { lockDuration: options.lockMs, stalledInterval: Math.ceil(options.lockMs / 2) }),
  });
  const whenReady = createReadiness(worker, options.readyMs);
  let isClosing = false;
  // Log the message only, because these errors hold the whole connection. While closing, a broken connection is normal.
  const tellLoss = tellOncePer(minuteMs, (message) =>
    log.warn({ reason: message, queue: worker.name }, 'the worker lost its store'),
  );
  worker.on('error', ({ message }) => {
    if (!isClosing) tellLoss(message);
  });
  tellEnds(worker, options);
  try {
    await whenReady();
  } catch (error) {
    isClosing = true;
    await worker.close(true);
    throw error;
  }
  return {
    isRunning: () => worker.isRunning(),
    close: () => {
      isClosing = true;
      return worker.close();
    },
  };
}

/** An attempt of an `untilDone` job that came to nothing: BullMQ counts it and waits for so long. */
class AttemptFailed extends Error {
  override name = 'AttemptFailed';
  readonly inMs: number;

  constructor(inMs: number) {
    super(`the next attempt is due in ${inMs} ms`);
    this.inMs = inMs;
  }
}

/** Has an `untilDone` job run again as its handler says, and a little later where the handler threw. */
async function followAttempt(
  { job, token, log }: { job: Job; token: string | undefined; log: JobWorkerOptions<JobCatalogue>['log'] },
  backoffMs: number,
  attempt: Promise<NextAttempt | void>,
): Promise<void> {
  const next = await attempt.catch((error: unknown) => {
    log.warn({ job: job.name, id: job.id, err: error }, 'job could not be attempted; it runs again');
    return { inMs: backoffMs, wasAttempt: false };
  });
  if (!next) return;
  const inMs = Math.max(1, Math.ceil(next.inMs));
  if (next.wasAttempt) throw new AttemptFailed(inMs);
  await job.moveToDelayed(Date.now() + inMs, token);
  throw new DelayedError();
}

function tellEnds(
  worker: Worker,
  { log, onEnd }: Pick<JobWorkerOptions<JobCatalogue>, 'log' | 'onEnd'>,
): void {
  const ms = (job: Job) => (job.finishedOn ?? Date.now()) - (job.processedOn ?? Date.now());
  worker.on('completed', (job) => {
    log.info({ job: job.name, id: job.id, ms: ms(job) }, 'job done');
    onEnd?.(job.name, 'done', ms(job));
  });
  worker.on('failed', (job, error) => {
    const isLast = job?.finishedOn !== undefined;
    const line = { job: job?.name, id: job?.id, attempt: job?.attemptsMade, err: error };
    if (isLast) log.error(line, 'job failed for good');
    else if (error instanceof AttemptFailed) log.info({ ...line, err: undefined }, error.message);
    else log.warn(line, 'job failed; it is tried again');
    if (job) onEnd?.(job.name, isLast ? 'failed' : 'retried', ms(job));
  });
}
