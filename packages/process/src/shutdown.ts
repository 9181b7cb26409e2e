import type { Logger } from './log/logger.ts';

export interface ShutdownOptions {
  log: Pick<Logger, 'info' | 'error' | 'fatal'>;
  /** After this time the process exits with code 1, even if parts still run. */
  timeoutMs: number;
}

export interface Shutdown {
  /** Registers how a part is stopped. Call it right after the part has started: parts stop in reverse order. */
  onStop(name: string, stop: () => Promise<void> | void): void;
  /** Stops everything, as a signal does. */
  begin(reason: string): void;
  /** Stops everything, with exit code 1. */
  fail(reason: string): void;
  /** Whether everything is being stopped: what fails from then on may fail because of it. */
  hasBegun(): boolean;
}

/**
 * A signal to a process group arrives again from parents that pass it on (npx, pnpm, sh). Within this time it counts as
 * the same signal.
 */
const echoMs = 1_000;

/**
 * Stops the process in order on SIGTERM, SIGINT or SIGHUP (exit code 0) and on an uncaught error (exit code 1).
 * A part that fails to stop is logged, and the other parts still stop. A second signal ends the process at once.
 */
export function createShutdown({ log, timeoutMs }: ShutdownOptions): Shutdown {
  const steps: { name: string; stop: () => Promise<void> | void }[] = [];
  let begunAt: number | undefined;
  let exitCode = 0;

  async function run(reason: string): Promise<void> {
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.fatal({ timeoutMs }, 'not stopped in time');
      process.exit(1);
    }, timeoutMs).unref();
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        exitCode = 1;
        log.error({ err: error, step: step.name }, 'a part did not stop cleanly');
      }
    }
    log.info({ reason }, 'stopped');
    process.exit(exitCode);
  }

  function begin(reason: string): void {
    if (begunAt !== undefined) return;
    begunAt = performance.now();
    void run(reason);
  }

  function fail(reason: string): void {
    exitCode = 1;
    begin(reason);
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (begunAt === undefined) begin(signal);
      else if (performance.now() - begunAt > echoMs) process.exit(1);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      fail(event);
    });
  }
  // The reader of our output may end before us, and an unhandled error would crash the process.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});

  return {
    onStop: (name, stop) => steps.push({ name, stop }),
    begin,
    fail,
    hasBegun: () => begunAt !== undefined,
  };
}
