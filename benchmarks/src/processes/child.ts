import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of its own, so that its processor time and memory are its own. */
export interface Child {
  /** Where it listens; empty where it does not. */
  url: string;
  /** Asks it something by IPC; see `answerParent`. Rejects when it dies first. */
  ask<T>(question: string, detail?: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** Starts `file`, a path from here or an absolute one, and resolves when it says that it is ready. */
export async function startChild(
  file: string,
  options: { env?: NodeJS.ProcessEnv; execArgv?: string[] } = {},
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production', ...options.env },
    execArgv: options.execArgv ?? [],
    // Logs are written as in production and read by nobody; what a child dies of goes to stderr.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.setMaxListeners(100);
  const exited = once(child, 'exit');
  const died = exited.then(([code, signal]): never => {
    throw new Error(`the benchmark process ${file} ended with ${String(code ?? signal)}`);
  });
  died.catch(() => {});
  const url = (await Promise.race([nextMessage(child, () => true), died])) as string;
  let asked = 0;
  return {
    url,
    async ask<A>(question: string, detail?: unknown) {
      const id = ++asked;
      const answered = nextMessage(child, (message) => (message as { id?: number }).id === id);
      child.send({ id, question, detail });
      const { answer, failure } = (await Promise.race([answered, died])) as { answer: A; failure?: string };
      if (failure !== undefined) throw new Error(`${file}, asked for ${question}: ${failure}`);
      return answer;
    },
    async stop() {
      // It exits by itself when the channel closes, and so writes the profile that was asked for.
      if (child.connected) child.disconnect();
      const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(impatient);
    },
  };
}

function nextMessage(child: ChildProcess, wanted: (message: unknown) => boolean): Promise<unknown> {
  return new Promise((resolve) => {
    child.on('message', function read(message) {
      if (!wanted(message)) return;
      child.off('message', read);
      resolve(message);
    });
  });
}

/** In the child: says where it listens and answers questions; `usage` is answered everywhere. Dies with its parent. */
export function answerParent(url: string, answers: Record<string, (detail: never) => unknown> = {}): void {
  const all: Record<string, (detail: never) => unknown> = { usage: readUsage, ...answers };
  process.on('message', ({ id, question, detail }: { id: number; question: string; detail: never }) => {
    new Promise((resolve) => resolve(all[question]?.(detail))).then(
      (answer) => process.send?.({ id, answer }),
      (error: unknown) => process.send?.({ id, failure: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.(url);
}

export interface Usage {
  /** User and system time since the start, in microseconds. */
  cpuUs: number;
  rssBytes: number;
}

function readUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
}
