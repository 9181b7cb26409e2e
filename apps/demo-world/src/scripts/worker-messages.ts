import type { ScriptJob } from '../world/outside.ts';

/** Messages of an interpreter’s thread: first that it is ready for its one job, then the result. */
export type WorkerMessage = 'ready' | WorkerAnswer;

/** The JSON of what a script came to, or why it failed. */
export type WorkerAnswer = { result: string } | { error: string };

/** A thread with an interpreter, for one script. */
export interface ScriptWorker {
  send(job: ScriptJob): void;
  /** Stops the thread, whatever it does. Resolves when it has stopped. */
  end(): Promise<void>;
}

/** Starts a thread. Where it cannot go on, `onFailure` is called. */
export type StartWorker = (
  onMessage: (message: WorkerMessage) => void,
  onFailure: (cause: unknown) => void,
) => ScriptWorker;
