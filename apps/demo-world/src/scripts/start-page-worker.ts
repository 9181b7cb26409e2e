import type { StartWorker, WorkerMessage } from './worker-messages.ts';

/** Starts a thread in a page. */
export const startPageWorker: StartWorker = (onMessage, onFailure) => {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => onMessage(data));
  worker.addEventListener('error', onFailure);
  return {
    send: (job) => worker.postMessage(job),
    async end() {
      worker.terminate();
      await Promise.resolve();
    },
  };
};
