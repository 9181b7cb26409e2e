import { findDebianProgram, findFreePort, spawnBound, waitFor } from '@tabletop-relay/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Balancer {
  url: string;
  /** What it said so far of its servers. */
  output(): string;
  stop(): Promise<void>;
}

/** haproxy before some instances, as docs/operations describes it: no stickiness, readiness by `/readyz`. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const haproxy = await findDebianProgram({ variable: 'HAPROXY', names: ['haproxy'], package: 'haproxy' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-haproxy-'));
  const port = await findFreePort();
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, ports));
  const child = spawnBound(haproxy, ['-db', '-f', file]);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200, {
    timeoutMs: 10_000,
  }).catch((error: unknown) => {
    throw new Error(`haproxy did not start: ${output}`, { cause: error });
  });
  return {
    url,
    output: () => output,
    async stop() {
      await child.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map(
    (server, index) => `  server relay${index + 1} 127.0.0.1:${server} check inter 200ms fall 2 rise 1`,
  );
  return `global
  maxconn 4096
  log stdout format raw local0 notice
defaults
  mode http
  log global
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 2s
  option redispatch
  retries 3
  retry-on conn-failure
frontend public
  bind 127.0.0.1:${port}
  default_backend relays
backend relays
  balance roundrobin
  option httpchk GET /readyz
${servers.join('\n')}
`;
}
