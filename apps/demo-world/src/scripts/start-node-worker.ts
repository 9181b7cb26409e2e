import { Worker } from 'node:worker_threads';
import type { StartWorker, WorkerMessage } from './worker-messages.ts';

/** Bounds the thread's own heap; the interpreter's memory has a bound of its own. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Starts a thread in Node. It gets neither the environment of this process nor its options. */
export const startNodeWorker: StartWorker = (onMessage, onFailure) => {
  const url = new URL('./node-worker.ts', import.meta.url);
  const worker = new Worker(url, { env: {}, execArgv: [], resourceLimits, name: 'script' });
  worker.on('message', (message: WorkerMessage) => onMessage(message));
  worker.on('error', onFailure);
  worker.on('exit', onFailure);
  return {
    send: (job) => worker.postMessage(job),
    async end() {
      await worker.terminate();
    },
  };
};
