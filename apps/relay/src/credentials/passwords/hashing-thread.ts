import { cost } from './argon2-cost.ts';
import { hashSync, verifySync } from '@node-rs/argon2';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** Told once, before all answers. */
export interface ThreadStart {
  /** Why the thread has the priority of the event loop; absent: it has a lower one. */
  priorityKept?: string | undefined;
}

/** With `stored` it is verified against it, else hashed. */
export interface HashingJob {
  password: string;
  stored?: string;
}

export type HashingAnswer = { result: string | boolean } | { failure: string };

/** The kernel gives this thread about a tenth of what it gives the event loop where both want the same core. */
const nicenessAboveOthers = 10;
const highestNiceness = 19;

function lowerPriority(): ThreadStart {
  // Elsewhere a priority belongs to the whole process.
  if (process.platform !== 'linux') return { priorityKept: `no priority per thread on ${process.platform}` };
  try {
    setPriority(Math.min(highestNiceness, getPriority() + nicenessAboveOthers));
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
