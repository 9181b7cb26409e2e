import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';

export interface Started {
  pid: number;
  output(): string;
  /** Resolves when the line is there. */
  saw(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  exited: Promise<number | string | null>;
}

/** What a start has from the shell. */
const inherited = () => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
});

/** Runs a start as a process of its own. */
export function start(env: Record<string, string>, repository: string): Started {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./start-here.ts')), repository], {
    env: { ...inherited(), DEMO: 'off', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    saw: (text) => vi.waitFor(() => expect(output).toContain(text), { timeout: 25_000 }),
    kill: (signal) => void child.kill(signal),
    exited: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null),
  };
}

/** A folder of the test's own, which goes with it. */
export function ownFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with one page, whose build counts how often it ran. */
export function ownRepository(): { repository: string; builds(): number } {
  const repository = ownFolder();
  const page = path.join(repository, 'apps/dashboard');
  mkdirSync(page, { recursive: true });
  const build = 'mkdir -p apps/dashboard/dist && echo built >> builds';
  writeFileSync(path.join(repository, 'package.json'), JSON.stringify({ scripts: { build } }));
  writeFileSync(path.join(page, 'package.json'), JSON.stringify({ scripts: { build: 'true' } }));
  writeFileSync(path.join(page, 'page.html'), '<p>one</p>');
  const count = () => readFileSync(path.join(repository, 'builds'), { encoding: 'utf8', flag: 'a+' });
  return { repository, builds: () => count().split('\n').length - 1 };
}

/** A port that is free, as far as anybody can know. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
