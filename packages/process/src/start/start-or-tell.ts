import type { TObject } from 'typebox';
import type { Logger } from '../log/logger.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import type { Config } from '../settings/config.ts';
import type { Shutdown } from '../shutdown.ts';
import { explainListening } from './listening.ts';
import type { Listening } from './listening.ts';

/** As `readConfig`. Wrong settings end the process with their list. */
export function readSettings<T extends TObject>(...read: Parameters<typeof readConfig<T>>): Config<T> {
  try {
    return readConfig(...read);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

export interface StartOptions {
  log: Pick<Logger, 'fatal'>;
  shutdown: Pick<Shutdown, 'fail' | 'hasBegun'>;
}

/**
 * Runs the start of a process. Where a person must mend something first, the process ends with one line that says what and
 * with exit code 1. A bug rejects, and so ends the process as every uncaught error does, with its stack.
 */
export async function startOrTell<T>({ log, shutdown }: StartOptions, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const words = inWords(error);
    if (words === undefined) throw error;
    // What a start was doing fails when it is stopped, and that is no failure.
    if (!shutdown.hasBegun()) {
      log.fatal(`did not start: ${words}`);
      shutdown.fail('did not start');
    }
    return await new Promise<never>(() => {});
  }
}

/** Errors whose message says what to mend. Those of other packages go by their names, as this one imports none of them. */
const explained = new Set(['CannotStart', 'StartError', 'SchemaVersionError']);

function inWords(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (explained.has(error.name)) return error.message;
  const failure = error as Listening;
  return failure.syscall === 'listen' ? explainListening(failure, 'PORT or OPS_PORT') : undefined;
}
