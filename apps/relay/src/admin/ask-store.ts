import { isDatabaseAway } from '@tabletop-relay/database';
import { cureOfPostgres, cureOfRedis, reasonOf, unreachablePostgres } from '@tabletop-relay/process';
import type { JobsConnection } from '@tabletop-relay/jobs';

/** How long a command waits for each store. */
const patienceMs = 5_000;

/** A store did not answer. The message names it, says what it said, and what to do. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}

/** Rejects with `StoreAway` where the store does not answer within five seconds; a bug of ours rejects as it is. */
export async function askPostgres<T>(question: () => Promise<T>): Promise<T> {
  return await within(question).catch((error: unknown) => {
    throw postgresAway(error) ?? error;
  });
}

/** Asks the store of the job queue, and reports it if it is away. */
export async function askJobs<T>(jobs: JobsConnection, question: () => Promise<T>): Promise<T> {
  return 'redisUrl' in jobs
    ? await askRedis('JOBS_REDIS_URL or REDIS_URL', question)
    : await askPostgres(question);
}

/** Asks Redis, and reports it if it is away. `setting` names the Redis. */
export async function askRedis<T>(setting: string, question: () => Promise<T>): Promise<T> {
  return await within(question).catch((error: unknown) => {
    if (isOfJob(error) || error instanceof TypeError) throw error;
    const reason = reasonOf(error).replace(/\.$/, '');
    throw new StoreAway(`Redis (${setting}): ${reason}. ${cureOfRedis(setting, reason)}`, { cause: error });
  });
}

/** What the queue says of a job, as that it does not wait for a retry: its store answered. BullMQ gives such errors a number. */
const isOfJob = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'number';

const insufficientPrivilege = '42501';

/** In words for the operator; undefined where the failure is none of reaching Postgres or of the rights there. */
export function postgresAway(error: unknown): StoreAway | undefined {
  const isRefused = (error as { code?: unknown }).code === insufficientPrivilege;
  if (!isDatabaseAway(error) && !(error instanceof NoAnswer) && !isRefused) return undefined;
  const cure = cureOfPostgres('DATABASE_URL', error) ?? unreachablePostgres('DATABASE_URL');
  return new StoreAway(`Postgres (DATABASE_URL): ${reasonOf(error)}. ${cure}`, { cause: error });
}

class NoAnswer extends Error {
  override name = 'NoAnswer';
}

async function within<T>(question: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new NoAnswer(`no answer within ${patienceMs / 1_000} s`)),
    patienceMs,
  );
  return await Promise.race([question(), late]).finally(() => clearTimeout(timer));
}
