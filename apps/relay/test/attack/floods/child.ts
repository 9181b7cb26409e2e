import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FloodTask, Sent } from './task.ts';

export interface Flooder {
  /** Resolves with what was sent. One at a time. */
  run(task: FloodTask): Promise<Sent>;
  stop(): Promise<void>;
}

export interface BareListener {
  url: string;
  stop(): Promise<void>;
}

export async function startFlooder(): Promise<Flooder> {
  const child = await start('./flooder.ts');
  return {
    async run(task) {
      const answered = child.next<{ sent?: Sent; failure?: string }>();
      child.process.send(task);
      const { sent, failure } = await answered;
      if (!sent) throw new Error(`the flood of ${task.kind} failed: ${failure}`);
      return sent;
    },
    stop: child.stop,
  };
}

export async function startBareListener(): Promise<BareListener> {
  const { ready, stop } = await start('./bare-listener.ts');
  return { url: ready, stop };
}

/** A process that ends when we do. */
async function start(file: string) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]): never => {
    throw new Error(`the process ${file} of the attack ended with ${String(code)}`);
  });
  ended.catch(() => {});
  const next = async <T>(): Promise<T> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
    return message;
  };
  const { ready } = await next<{ ready: string }>();
  return {
    process: child,
    ready,
    next,
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}
