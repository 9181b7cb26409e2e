import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import type { QuickJSContext, QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core';
import quickjs from '@jitl/quickjs-wasmfile-release-sync';
import type { ScriptJob } from '../world/outside.ts';
import { program } from './program.ts';
import type { WorkerAnswer } from './worker-messages.ts';

/** A script's own time; the interpreter does not look at the clock within all of its built-in functions. */
const scriptMs = 500;

const limits = { stackBytes: 256 * 1024, resultLength: 262_144, jobs: 10_000 };

/**
 * The whole memory of the interpreter, in pages of 64 KiB: 16 MiB at first, as it was built, and 48 MiB at most. The
 * interpreter's own limit does not count what it has, when it is WebAssembly.
 */
const memoryPages = { initial: 256, maximum: 768 };

/** The package describes its default export as the module around it. */
const variant = quickjs as unknown as QuickJSSyncVariant;

/** Loads the interpreter: QuickJS as WebAssembly. */
export function loadInterpreter(): Promise<QuickJSWASMModule> {
  const wasmMemory = new WebAssembly.Memory(memoryPages);
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
}

/** The time that this thread has worked, in milliseconds, or the time that has passed where that cannot be told. */
export type Clock = () => number;

/**
 * Runs a script; once for each interpreter, because nothing is freed. The result is the JSON of a `ScriptOutcome`. It can
 * take longer than the script's time, and then the thread must be ended.
 */
export function evaluate(interpreter: QuickJSWASMModule, job: ScriptJob, clock: Clock): WorkerAnswer {
  const runtime = interpreter.newRuntime();
  runtime.setMaxStackSize(limits.stackBytes);
  const endsAt = clock() + scriptMs;
  runtime.setInterruptHandler(() => clock() > endsAt);
  return evaluateIn(runtime.newContext(), job);
}

function evaluateIn(context: QuickJSContext, job: ScriptJob): WorkerAnswer {
  const started = context.evalCode(program(job), 'world.js');
  if (started.error) return failed(context.dump(started.error));
  const jobs = context.runtime.executePendingJobs(limits.jobs);
  if (jobs.error) return failed(context.dump(jobs.error));
  const state = context.getPromiseState(started.value);
  if (state.type === 'pending') return { error: 'The script waits for something that never comes' };
  if (state.type === 'rejected') return failed(context.dump(state.error));
  const text: unknown = context.dump(state.value);
  if (typeof text !== 'string') return { error: 'The script returned what is not JSON' };
  return text.length > limits.resultLength ? { error: 'The script returned too much' } : { result: text };
}

function failed(thrown: unknown): WorkerAnswer {
  const { name, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    name?: unknown;
    message?: unknown;
  };
  if (message === 'interrupted') return { error: `The script took more than ${scriptMs} ms` };
  const text = typeof message === 'string' ? message : 'it threw what is no error';
  return { error: `The script failed: ${typeof name === 'string' ? `${name}: ` : ''}${text}`.slice(0, 500) };
}
