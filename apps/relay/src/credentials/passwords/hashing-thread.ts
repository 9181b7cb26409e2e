import { cost } from './argon2-cost.ts';
import { hashSync, verifySync } from '@node-rs/argon2';
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread sends this once, before its first answer. */
export interface ThreadStart {
  /** Why the thread could not lower its priority. Absent if it could. */
  priorityKept?: string | undefined;
}

/** A password to verify against `stored`, or to hash if that is absent. */
export interface HashingJob {
  password: string;
  stored?: string;
}

export type HashingAnswer = { result: string | boolean } | { failure: string };

const highestNiceness = 19;

function lowerPriority(): ThreadStart {
  // On other systems a priority belongs to the whole process, so it stays as it is.
  if (process.platform !== 'linux') return { priorityKept: `no priority per thread on ${process.platform}` };
  try {
    const { niceness } = workerData as { niceness: number };
    setPriority(Math.min(highestNiceness, getPriority() + niceness));
    return {};
  } catch (error) {
    return { priorityKept: String(error) };
  }
}

function work({ password, stored }: HashingJob): HashingAnswer {
  try {
    return { result: stored === undefined ? hashSync(password, cost) : verifySync(stored, password) };
  } catch (error) {
    return { failure: String(error) };
  }
}

parentPort?.postMessage({ start: lowerPriority() });
parentPort?.on('message', (job: HashingJob) => parentPort?.postMessage({ answer: work(job) }));
