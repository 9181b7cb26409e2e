import type { Logger } from './logger.ts';

export interface ShutdownOptions {
  log: Pick<Logger, 'info' | 'error' | 'fatal'>;
  /** After so long the process ends with what is left undone, exit code 1. */
  timeoutMs: number;
}

export interface Shutdown {
  /** Registers what ends a part, right after the part started: the last to start is the first to end. */
  onStop(name: string, stop: () => Promise<void> | void): void;
  /** Ends everything as a signal would. */
  begin(reason: string): void;
}

/** A signal to a process group reaches us by our parents as well (npx, pnpm, sh): these are one signal. */
const echoMs = 1_000;

/**
 * Ends the process in order on SIGTERM, SIGINT or SIGHUP (exit code 0) and on an error that nobody caught (1).
 * A part that fails to stop is logged and holds up no other. A second signal ends the process at once.
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

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (begunAt === undefined) begin(signal);
      else if (performance.now() - begunAt > echoMs) process.exit(1);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      exitCode = 1;
      log.fatal({ err: error }, event);
      begin(event);
    });
  }
  // Whoever read our output may be gone before us.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});

  return { onStop: (name, stop) => steps.push({ name, stop }), begin };
}
