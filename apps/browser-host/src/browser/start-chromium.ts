import { onPath } from '@tabletop-relay/chromium';
import type { Chromium } from '@tabletop-relay/chromium';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserEnvironment } from './browser-environment.ts';
import { chromiumFlags } from './chromium-flags.ts';
import type { Pipe } from './metered-pipe.ts';
import { makeProfile } from './profiles.ts';

/** A Chromium of its own process group, and the pipe that steers it. */
export interface ChromiumProcess extends Pipe {
  /** Of the browser; the processes that it starts are in its group. */
  pid: number;
  /** The last that it wrote to its standard error. */
  lastWords(): string;
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
  /** Ends the whole group at once, whatever its pages do. Resolves when it is gone, or cannot be ended in time. */
  kill(): Promise<void>;
}

const killedWithinMs = 5_000;
const keptWords = 2_000;

/** Starts it without a window. Rejects where the program cannot be run. */
export async function startChromium(
  { command, env }: Chromium,
  { memoryMb, isSandboxed }: { memoryMb: number; isSandboxed: boolean },
): Promise<ChromiumProcess> {
  const profile = await makeProfile();
  const [program = '', ...args] = [
    ...dataLimit(memoryMb),
    command,
    ...chromiumFlags({ profile, memoryMb, isSandboxed }),
  ];
  const child = spawn(program, args, {
    env: { ...browserEnvironment(process.env), ...env },
    // A leader: its group is ended by one signal.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (data: Buffer) => (words = (words + data.toString()).slice(-keptWords)));
  const exited = once(child, 'exit').catch(() => []);
  const cleared = exited.then(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  cleared.catch(() => {});
  await once(child, 'spawn');
  const pid = child.pid as number;
  let hasEnded = false;
  const ended = exited.then(() => {
    hasEnded = true;
    // A browser that crashed may leave others of its group behind.
    killGroup(pid);
  });
  return {
    pid,
    // What Chromium calls 3 and 4.
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    lastWords: () => words,
    ended,
    async kill() {
      // Its number may be another's by now.
      if (hasEnded) return;
      killGroup(pid);
      await Promise.race([ended, sleep(killedWithinMs, undefined, { ref: false })]);
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Stacks and reserves that are not used count as data. */
const unusedMb = 1_024;

/**
 * The kernel keeps each process of the browser from more data than this, however fast a page takes it: the watch looks twice a second only.
 * Address space as a whole cannot be bounded, since V8 reserves far more than it uses.
 */
function dataLimit(memoryMb: number): string[] {
  const prlimit = process.platform === 'linux' ? onPath('prlimit') : undefined;
  return prlimit === undefined ? [] : [prlimit, `--data=${(memoryMb + unusedMb) * 1_048_576}`];
}
