import { DelayedError, UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';

export interface PutBack {
  everyMs: number;
  times: number;
}

/** A quarter of an hour: roll-outs replace the workers sooner. */
export const usualPutBack: PutBack = { everyMs: 5_000, times: 180 };

/**
 * Leaves a job that this version cannot read to a worker of the version that wrote it: it is due again a little later. It fails for
 * good once that was in vain often enough, because after a way back there may be no such worker any more. The number of its tries
 * stays as it is.
 */
export async function leaveToOthers(
  { job, token }: { job: Job; token: string | undefined },
  why: string,
  { everyMs, times }: PutBack,
): Promise<never> {
  if (job.attemptsStarted - job.attemptsMade > times) throw new UnrecoverableError(why);
  await job.moveToDelayed(Date.now() + everyMs, token);
  throw new DelayedError(why);
}
