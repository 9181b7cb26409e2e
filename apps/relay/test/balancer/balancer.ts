import { findDebianProgram, findFreePort, spawnBound, waitFor } from '@tabletop-relay/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configurations } from './configurations.ts';
import type { Proxy } from './configurations.ts';

export interface Balancer {
  url: string;
  /** What it said so far of its servers. */
  output(): string;
  /** Before an instance gets its SIGTERM, and once it is ready again. A balancer that asks for readiness needs neither. */
  leaveOut(index: number): Promise<void>;
  takeIn(): Promise<void>;
  stop(): Promise<void>;
}

const args = {
  haproxy: (file: string) => ['-db', '-f', file],
  nginx: (file: string, folder: string) => ['-p', folder, '-c', file, '-g', `daemon off; pid ${folder}/pid;`],
};

/** A real balancer before some instances, with the rules of deploy/proxy: no stickiness. */
export async function startBalancer(
  ports: readonly number[],
  proxy: Proxy = 'haproxy',
  { boundsAddress = false } = {},
): Promise<Balancer> {
  const program = await findDebianProgram(proxy);
  const folder = mkdtempSync(path.join(os.tmpdir(), `relay-${proxy}-`));
  const port = await findFreePort();
  const file = path.join(folder, 'configuration');
  const write = (leftOut?: number) =>
    writeFileSync(file, configurations[proxy]({ port, ports, folder, leftOut, boundsAddress }));
  write();
  const child = spawnBound(program, args[proxy](file, folder));
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200, {
    timeoutMs: 10_000,
  }).catch((error: unknown) => {
    throw new Error(`${proxy} did not start: ${output}`, { cause: error });
  });

  /** The old worker of nginx goes on with its sockets, and takes nothing new once it says this. */
  async function reload(leftOut?: number): Promise<void> {
    if (proxy === 'haproxy') return;
    const count = () => output.split('gracefully shutting down').length;
    const before = count();
    write(leftOut);
    process.kill(child.pid, 'SIGHUP');
    await waitFor(() => count() > before, { timeoutMs: 10_000 });
  }

  return {
    url,
    output: () => output,
    leaveOut: reload,
    takeIn: () => reload(),
    async stop() {
      await child.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
