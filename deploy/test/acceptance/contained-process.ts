import { spawnBound, waitFor } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { readFileSync } from 'node:fs';
import { startOf } from '../images/dockerfile.ts';
import { isWholeSystem, toEnter, toStart } from './contents.ts';
import type { Placed } from './contents.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** All that it printed. */
  output: string;
}

/** A process that runs from what an image holds, started as its Dockerfile says. */
export interface ContainedProcess {
  readonly placed: Placed;
  /** Of Node itself. */
  readonly pid: number;
  output(): string;
  /** Asks what the image's HEALTHCHECK asks. */
  isHealthy(): Promise<boolean>;
  /** Runs another program of the image beside it, as `kubectl exec` does. */
  execute(command: readonly string[]): Promise<Ended>;
  /** Sends SIGTERM to Node. Resolves when it has ended. */
  stop(): Promise<Ended>;
  kill(): Promise<void>;
}

/** Resolves when its HEALTHCHECK says that it is well. A whole system needs root. */
export async function startContained(placed: Placed): Promise<ContainedProcess> {
  const { entry, arguments: own, health } = startOf(placed.target);
  const started = start(toStart(placed, [...entry, ...own]));
  const execute = (command: readonly string[]) => start(toEnter(placed, pid, command)).exit;
  const pid = isWholeSystem(placed.folder) ? await firstChildOf(started.child.pid) : started.child.pid;
  const isHealthy = async () => (await execute(health)).code === 0;
  await waitFor(async () => started.ended() || (await isHealthy()), { timeoutMs: 60_000, intervalMs: 300 });
  if (started.ended()) throw new Error(`${placed.target} did not start: ${started.output()}`);
  return {
    placed,
    pid,
    output: started.output,
    isHealthy,
    execute,
    async stop() {
      if (!started.ended()) process.kill(pid, 'SIGTERM');
      return await started.exit;
    },
    kill: () => started.child.end('SIGKILL'),
  };
}

/** Runs an image with other arguments than its own, to its end. */
export function runContained(placed: Placed, args: readonly string[]): Promise<Ended> {
  return start(toStart(placed, [...startOf(placed.target).entry, ...args])).exit;
}

interface Started {
  child: BoundChild;
  output(): string;
  ended(): boolean;
  exit: Promise<Ended>;
}

function start([command = '', ...args]: string[]): Started {
  const child = spawnBound({ command, env: {} }, args);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  let hasEnded = false;
  const exit = new Promise<Ended>((resolve, reject) => {
    child.process.once('error', reject);
    child.process.once('close', (code, signal) => {
      hasEnded = true;
      resolve({ code, signal, output });
    });
  });
  exit.catch(() => {});
  return { child, output: () => output, ended: () => hasEnded, exit };
}

/** The process that a parent which only waits has made. */
function firstChildOf(parent: number): Promise<number> {
  return waitFor(() => {
    const [first = ''] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ');
    return first === '' ? undefined : Number(first);
  });
}
