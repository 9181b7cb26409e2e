import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';

/** Starts a process that registers two parts and then runs `body`. Signals and exit codes are real. */
async function start(body: string, { timeoutMs = 5_000 } = {}) {
  const modules = ['log/logger', 'shutdown'].map((name) => new URL(`./${name}.ts`, import.meta.url).href);
  const script = `
    const [{ createLogger }, { createShutdown }] = await Promise.all(
      ${JSON.stringify(modules)}.map((url) => import(url)));
    const log = createLogger({ level: 'info', name: 'test' });
    const shutdown = createShutdown({ log, timeoutMs: ${timeoutMs} });
    shutdown.onStop('database', () => console.log('database ended'));
    shutdown.onStop('http', async () => { await null; console.log('http ended'); });
    setInterval(() => {}, 1000);
    ${body}
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => code ?? signal);
  await vi.waitFor(() => expect(output).toContain('ready'), { timeout: 10_000 });
  return { child, exited, output: () => output };
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the parts in turn, the last to start first, and exits 0',
  async (signal) => {
    const { child, exited, output } = await start('');
    child.kill(signal);
    expect(await exited).toBe(0);
    expect(output()).toMatch(/http ended\n[^]*database ended\n/);
  },
);

test('a part that fails to end is told and does not keep the others from ending', async () => {
  const { child, exited, output } = await start(
    `shutdown.onStop('socket', () => { throw new Error('stuck'); });`,
  );
  child.kill('SIGTERM');
  expect(await exited).toBe(1);
  expect(output()).toContain('"step":"socket"');
  expect(output()).toContain('database ended');
});

test.each([
  ['uncaughtException', `setTimeout(() => { throw new Error('boom'); }, 1);`],
  ['unhandledRejection', `void Promise.reject(new Error('boom'));`],
])('an error that nobody caught (%s) is logged, ends the parts and exits 1', async (event, body) => {
  const { exited, output } = await start(body);
  expect(await exited).toBe(1);
  expect(output()).toContain('"message":"boom"');
  expect(output()).toContain(`"msg":"${event}"`);
  expect(output()).toContain('database ended');
});

test('what does not end in time is cut short, exit code 1', async () => {
  const { child, exited, output } = await start(`shutdown.onStop('hang', () => new Promise(() => {}));`, {
    timeoutMs: 50,
  });
  child.kill('SIGTERM');
  expect(await exited).toBe(1);
  expect(output()).toContain('not stopped in time');
});

test('a signal that comes twice at once is one; a later one ends the process', async () => {
  const { child, exited, output } = await start(`
    shutdown.onStop('hang', () => new Promise(() => {}));
    process.on('SIGINT', () => console.log('heard'));`);
  child.kill('SIGINT');
  await vi.waitFor(() => expect(output()).toContain('heard'), 10_000);
  child.kill('SIGINT');
  await vi.waitFor(() => expect(output().match(/heard/g)).toHaveLength(2), 10_000);
  expect(child.exitCode).toBeNull();
  await vi.waitFor(
    () => {
      child.kill('SIGINT');
      expect(child.exitCode).toBe(1);
    },
    { timeout: 15_000, interval: 200 },
  );
  expect(await exited).toBe(1);
  expect(output()).not.toContain('ended');
});
