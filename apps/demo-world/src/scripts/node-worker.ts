import { parentPort } from 'node:worker_threads';
import type { ScriptJob } from '../world/outside.ts';
import { evaluate, loadInterpreter } from './evaluate.ts';
import type { WorkerMessage } from './worker-messages.ts';

/** The thread of an interpreter in Node. */
const post = (message: WorkerMessage) => parentPort?.postMessage(message);
const interpreter = await loadInterpreter();
/** A machine that is busy with other things takes nothing from a script's time. */
const clock = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
parentPort?.once('message', (job: ScriptJob) => post(evaluate(interpreter, job, clock)));
post('ready');
