import { spawnBound } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const here = fileURLToPath(new URL('../../../..', import.meta.url));

export interface BesideOptions {
  /** The folder that holds `apps`; this repository unless named. */
  app?: string | undefined;
  databaseUrl: string;
  redisUrl: string;
  env?: Record<string, string>;
}

/** A worker or a browser host in a process of its own, as `pnpm worker` starts it. It is killed with the test at the latest. */
export function startBeside(name: 'worker' | 'browser-host', options: BesideOptions): BoundChild {
  const { app = here, databaseUrl, redisUrl } = options;
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    MIGRATE: 'off',
    RELAY_SECRET: 'a secret for tests; long enough.',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    ...options.env,
  };
  const main = path.join(app, `apps/${name}/src/main.ts`);
  const child = spawnBound({ command: process.execPath, env }, [main]);
  for (const stream of [child.process.stdout, child.process.stderr]) stream?.resume();
  onTestFinished(() => child.end('SIGKILL'));
  return child;
}
