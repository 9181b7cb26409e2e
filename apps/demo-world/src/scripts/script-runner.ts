import type { RunScript, ScriptJob } from '../world/outside.ts';
import { Refusal } from '../world/refusal.ts';
import { createPlaces } from './places.ts';
import type { StartWorker } from './worker-messages.ts';

export interface ScriptBounds {
  /** Scripts that run at the same time. */
  running: number;
  /** Scripts that wait for their turn. */
  waiting: number;
  /** A thread has so long to load its interpreter. */
  loadMs: number;
  /** A thread that runs a script is ended after this time, whatever it does. The script's own time mostly ends before. */
  threadMs: number;
}

export const scriptBounds: ScriptBounds = { running: 2, waiting: 8, loadMs: 5_000, threadMs: 2_000 };

/**
 * Runs each script in a thread of its own that is ended afterwards, or when its time is over: the interpreter itself can
 * only be interrupted between the steps of a script, and one call of a built-in function can take minutes.
 */
export function createScriptRunner(startWorker: StartWorker, bounds = scriptBounds): RunScript {
  const places = createPlaces(bounds);
  return async (job) => {
    await places.take();
    try {
      return JSON.parse(await runAlone(startWorker, bounds, job)) as Awaited<ReturnType<RunScript>>;
    } finally {
      places.giveBack();
    }
  };
}

async function runAlone(
  startWorker: StartWorker,
  { loadMs, threadMs }: ScriptBounds,
  job: ScriptJob,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (why: string) => reject(new Refusal('script_failed', why));
  let timer = setTimeout(fail, loadMs, 'The interpreter did not load in time');
  const worker = startWorker(
    (message) => {
      if (message === 'ready') {
        clearTimeout(timer);
        timer = setTimeout(fail, threadMs, `The script took more than ${threadMs} ms`);
        worker.send(job);
      } else if ('result' in message) resolve(message.result);
      else fail(message.error);
    },
    () => fail('The script took too much'),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.end();
  }
}
