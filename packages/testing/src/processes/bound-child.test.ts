import { spawn, spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { spawnBound } from './bound-child.ts';
import { waitFor } from '../time/wait-for.ts';

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('it resolves an end only when the process is gone', async () => {
  const child = spawnBound({ command: 'sleep', env: {} }, ['60']);
  await child.end('SIGKILL');
  expect(isAlive(child.pid)).toBe(false);
  await child.end('SIGTERM');
});

const canBind = spawnSync('setpriv', ['--pdeathsig=KILL', 'true']).status === 0;

test.runIf(canBind)('a child does not outlive a worker that is killed', async () => {
  const module = new URL('./bound-child.ts', import.meta.url).href;
  const script = `const { spawnBound } = await import(${JSON.stringify(module)});
    console.log(spawnBound({ command: 'sleep', env: {} }, ['60']).pid);
    setInterval(() => {}, 1000);`;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  let output = '';
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const pid = await waitFor(() => (output.endsWith('\n') ? Number(output) : undefined));
  expect(isAlive(pid)).toBe(true);
  worker.kill('SIGKILL');
  await waitFor(() => !isAlive(pid));
});
