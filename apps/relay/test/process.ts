import { nodeFlagsOf, spawnBound, waitFor } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitSettings } from '../src/limits/limits.ts';

/** A relay in a process of its own, as `pnpm relay` starts it: to be killed, stopped and restarted. */
export interface RelayProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves with all that it printed, once it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<string>;
}

export interface RelayProcessOptions {
  port: number;
  /** Without them: the embedded default, in the folder that `env` names as DATA_DIR. */
  databaseUrl?: string;
  redisUrl?: string;
  instanceId: string;
  env?: Record<string, string>;
  /** The folder that holds `apps/relay`; this repository unless named. */
  app?: string;
}

const wideLimits = Object.fromEntries(
  Object.keys(limitSettings).map((name) => [
    name.replace(/[A-Z]/g, '_$&').toUpperCase(),
    '1000000 per 1 min',
  ]),
);

/** Resolves when it is ready. */
export async function startRelayProcess(options: RelayProcessOptions): Promise<RelayProcess> {
  const url = `http://127.0.0.1:${options.port}`;
  const env: Record<string, string> = {
    ...wideLimits,
    PORT: String(options.port),
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
    ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
    INSTANCE_ID: options.instanceId,
    RELAY_SECRET: 'a secret for tests; long enough.',
    CALLS_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...options.env,
  };
  const root = options.app ?? fileURLToPath(new URL('../../..', import.meta.url));
  const main = path.join(root, 'apps/relay/src/main.ts');
  const child: BoundChild = spawnBound({ command: process.execPath, env }, [...nodeFlagsOf('relay'), main]);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  let ended = false;
  const exit = new Promise<void>((resolve) => {
    child.process.once('exit', () => {
      ended = true;
      resolve();
    });
  });
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  await waitFor(async () => ended || (await isReady()), { timeoutMs: 60_000 });
  if (ended) throw new Error(`the relay did not start: ${output}`);
  return {
    url,
    pid: child.pid,
    async end(signal) {
      if (!ended) process.kill(child.pid, signal);
      await exit;
      return output;
    },
  };
}
