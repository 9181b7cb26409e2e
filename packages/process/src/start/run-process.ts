import type { Registry } from 'prom-client';
import { createLogger } from '../log/logger.ts';
import type { Logger } from '../log/logger.ts';
import { createMetrics } from '../metrics.ts';
import { startOpsServer } from '../ops-server.ts';
import { createShutdown } from '../shutdown.ts';
import type { Shutdown } from '../shutdown.ts';
import type { Readiness } from './postgres-check.ts';
import { startOrTell } from './start-or-tell.ts';

/** What each process has before it starts what it is for. */
export interface ProcessTools {
  log: Logger;
  registry: Registry;
  shutdown: Shutdown;
}

export interface ProcessOptions<Part extends { stop(): Promise<void> }> {
  /** The name of the process in its log and at its stop. */
  name: string;
  /** Its `processSettings`. */
  config: { host: string; opsPort?: number; logLevel: string };
  /** What each line of its log says of it: its version, and its name where it has one. */
  fields: Readonly<Record<string, string>>;
  /** After this time a stop that still runs is given up. */
  longestStopMs: number;
  start(tools: ProcessTools): Promise<Part>;
  /** Answered at `/readyz` once it has started; until then the process is not ready. */
  readiness(part: Part): Readiness | Promise<Readiness>;
}

/**
 * Runs one part until the process is asked to stop. Operators are served before the part starts and until it has stopped, so
 * that `/metrics` tells of a drain and `/livez` answers while it runs. A start that fails ends the process, see `startOrTell`.
 */
export async function runProcess<Part extends { stop(): Promise<void> }>({
  name,
  config,
  fields,
  longestStopMs,
  start,
  readiness,
}: ProcessOptions<Part>): Promise<void> {
  const { host, opsPort } = config;
  const registry = createMetrics();
  const log = createLogger({
    name,
    level: config.logLevel,
    fields,
    pretty: process.stdout.isTTY,
    registry,
  });
  const shutdown = createShutdown({ log, timeoutMs: longestStopMs });
  let part: Part | undefined;
  const health = async () => (part === undefined ? { ready: false } : await readiness(part));
  if (opsPort !== undefined) {
    const ops = await startOrTell({ log, shutdown }, () =>
      startOpsServer({ host, port: opsPort, metrics: registry, health }),
    );
    shutdown.onStop('ops', ops.close);
  }
  part = await startOrTell({ log, shutdown }, () => start({ log, registry, shutdown }));
  shutdown.onStop(name, part.stop);
}
