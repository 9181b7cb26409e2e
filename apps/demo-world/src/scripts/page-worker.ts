import type { ScriptJob } from '../world/outside.ts';
import { evaluate, loadInterpreter } from './evaluate.ts';
import type { WorkerMessage } from './worker-messages.ts';

/** The thread of an interpreter in a page. */
const post = (message: WorkerMessage) => globalThis.postMessage(message);
const interpreter = await loadInterpreter();
globalThis.addEventListener(
  'message',
  ({ data }: MessageEvent<ScriptJob>) => post(evaluate(interpreter, data, () => performance.now())),
  { once: true },
);
post('ready');
