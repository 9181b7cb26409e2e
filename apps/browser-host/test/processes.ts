import { spawnBound } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Rig } from './rig.ts';

/** The Chromium that this process has started. */
export function browserPid(): number {
  const own = readdirSync('/proc').filter((name) => {
    try {
      const [, comm = '', rest = ''] =
        /^\d+ \((.*)\) \S (.*)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return /chrom/.test(comm) && Number(rest.split(' ')[0]) === process.pid;
    } catch {
      return false;
    }
  });
  return Number(own[0]);
}

/** A browser host in a process of its own: `main` as it is deployed, `quick` one whose sessions others get sooner. */
export function startHostProcess({ cluster, redis }: Rig, kind: 'main' | 'quick'): BoundChild {
  const env = {
    DATABASE_URL: cluster.databaseUrl,
    REDIS_URL: redis.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const quick = new URL('host-process.ts', import.meta.url).pathname;
  const args = kind === 'main' ? [main] : [quick, cluster.databaseUrl, redis.url];
  const child = spawnBound({ command: process.execPath, env }, args);
  onTestFinished(() => child.end('SIGKILL'));
  for (const stream of [child.process.stdout, child.process.stderr]) stream?.resume();
  return child;
}
