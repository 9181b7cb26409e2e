import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program } from '../stores/debian-program.ts';

/** What a program of ours is compiled to is kept for its next start, which then takes a second less of the processor. */
const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));

export interface BoundChild {
  process: ChildProcess;
  pid: number;
  /** Sends the signal. Resolves when the process has ended, at once if it already has. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a child that ends with this process, also after `kill -9` if the system has setpriv. The pid is that of the
 * program itself. Its output is piped and must be read, else the child blocks.
 */
export function spawnBound(program: Program, args: string[]): BoundChild {
  const [command = '', ...rest] = [...dyingWithParent(), program.command, ...args];
  const child = spawn(command, rest, {
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const gone = once(child, 'close').then(() => process.off('exit', killNow));
  gone.catch(() => {});
  return {
    process: child,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

let prefix: string[] | undefined;

function dyingWithParent(): string[] {
  const setpriv = ['setpriv', '--pdeathsig=KILL'];
  prefix ??= spawnSync('setpriv', ['--pdeathsig=KILL', 'true']).status === 0 ? setpriv : [];
  return prefix;
}
