import { spawnBound } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Rig } from './rig.ts';

/** The Chromium that this process has started; of several, one. */
export const browserPid = (): number => browserPids()[0] ?? Number.NaN;

/** Every Chromium that a process has started and that lives. */
export function browserPids(parent = process.pid): number[] {
  const own = readdirSync('/proc').filter((name) => {
    try {
      const [, comm = '', state = '', rest = ''] =
        /^\d+ \((.*)\) (\S) (.*)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return /chrom/.test(comm) && state !== 'Z' && Number(rest.split(' ')[0]) === parent;
    } catch {
      return false;
    }
  });
  return own.map(Number);
}

/** A browser host in a process of its own, until the test ends: `main` as it is deployed, `quick` one whose sessions others get sooner. */
export function startHostProcess(rig: Rig, kind: 'main' | 'quick'): BoundChild {
  const child = spawnHost(rig, kind);
  onTestFinished(() => child.end('SIGKILL'));
  return child;
}

/** A browser host in a process of its own, until the caller ends it. */
export function spawnHost(
  { cluster, redis }: Rig,
  kind: 'main' | 'quick',
  settings: Record<string, string> = {},
): BoundChild {
  const env = {
    ...settings,
    DATABASE_URL: cluster.databaseUrl,
    REDIS_URL: redis.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const quick = new URL('host-process.ts', import.meta.url).pathname;
  const args = kind === 'main' ? [main] : [quick, cluster.databaseUrl, redis.url];
  const child = spawnBound({ command: process.execPath, env }, args);
  for (const stream of [child.process.stdout, child.process.stderr]) stream?.resume();
  return child;
}
