import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from './debian-program.ts';

export interface BoundChild {
  process: ChildProcess;
  pid: number;
  /** Sends the signal and resolves when the process is gone; at once if it already is. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * A child that dies with us, however we die (by `kill -9` too, where the system has setpriv). Its pid is the
 * program's own. Its output is piped and must be read.
 */
export function spawnBound(program: Program, args: string[]): BoundChild {
  const [command = '', ...rest] = [...dyingWithParent(), program.command, ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, ...program.env },
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
