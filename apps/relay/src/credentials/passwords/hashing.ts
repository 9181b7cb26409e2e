import { Worker } from 'node:worker_threads';
import type { HashingAnswer, HashingJob, ThreadStart } from './hashing-thread.ts';

/** Argon2id outside of the event loop. Each call has a thread of its own, so callers must bound how many run at once. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

export interface HashingDeps {
  log: { info(fields: object, message: string): void };
  /** So much lower than the event loop's is the priority of its threads. */
  niceness: number;
  /** A thread without work ends after this time and gives its memory back. */
  idleMs?: number;
}

interface Thread {
  worker: Worker;
  /** Of the job that runs. */
  settle?: ((answer: HashingAnswer) => void) | undefined;
  idle?: NodeJS.Timeout | undefined;
}

/** Argon2's memory lies outside of V8's heap. */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/**
 * Hashes in threads of a lower priority than the event loop's, so that calls and frames do not wait while passwords
 * are hashed. A thread that dies fails the job that it had; the next job starts another.
 */
export function createHashing({ log, niceness, idleMs = 60_000 }: HashingDeps): Hashing {
  const free: Thread[] = [];
  let isLogged = false;

  function tellPriority({ priorityKept }: ThreadStart): void {
    if (priorityKept === undefined || isLogged) return;
    isLogged = true;
    log.info({ reason: priorityKept }, 'passwords are hashed at the priority of the event loop');
  }

  function start(): Thread {
    const thread: Thread = {
      worker: new Worker(new URL('./hashing-thread.ts', import.meta.url), {
        resourceLimits,
        workerData: { niceness },
      }),
    };
    let failure = 'its thread ended';
    // Under `node --watch` a thread also reports each module that it loads.
    thread.worker.on('message', (message: { start?: ThreadStart; answer?: HashingAnswer }) => {
      if (message.start) tellPriority(message.start);
      if (message.answer) thread.settle?.(message.answer);
    });
    thread.worker.on('error', (error) => (failure = String(error)));
    thread.worker.once('exit', () => {
      takeFrom(free, thread);
      thread.settle?.({ failure });
    });
    return thread;
  }

  function release(thread: Thread): void {
    free.push(thread);
    // An idle thread does not keep the process alive.
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      takeFrom(free, thread);
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  async function run(job: HashingJob): Promise<string | boolean> {
    const thread = free.pop() ?? start();
    clearTimeout(thread.idle);
    thread.worker.ref();
    const answer = await new Promise<HashingAnswer>((resolve) => {
      thread.settle = resolve;
      thread.worker.postMessage(job);
    });
    thread.settle = undefined;
    if ('failure' in answer) {
      void thread.worker.terminate();
      throw new Error(`A password could not be hashed: ${answer.failure}`);
    }
    release(thread);
    return answer.result;
  }

  return {
    hash: async (password) => (await run({ password })) as string,
    verify: async (stored, password) => (await run({ password, stored })) as boolean,
  };
}

function takeFrom(threads: Thread[], thread: Thread): void {
  clearTimeout(thread.idle);
  const index = threads.indexOf(thread);
  if (index !== -1) threads.splice(index, 1);
}
