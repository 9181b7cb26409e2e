import { pino } from 'pino';

export interface LogOutputOptions {
  /** What may wait for a reader; lines beyond it are dropped. */
  maxWaitingBytes: number;
  onDrop(): void;
  /** Bytes were taken: there may be room again. */
  onFlow(): void;
}

/** How long a fatal line, and the end of the process, wait for a reader. */
const patienceMs = 1_000;

/**
 * Standard output for a log. Writing never waits: what nobody reads is kept up to a bound and then dropped. What is kept
 * is written out at the end of the process and behind a fatal line, as long as somebody reads.
 */
export function openLogOutput({ maxWaitingBytes, onDrop, onFlow }: LogOutputOptions) {
  let waitsUntil = Infinity;
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: 0,
    maxLength: maxWaitingBytes,
    retryEAGAIN: () => performance.now() < waitsUntil,
  });
  output.on('drop', onDrop);
  output.on('write', onFlow);
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    waitsUntil = performance.now() + patienceMs;
    try {
      flushSync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    } finally {
      waitsUntil = Infinity;
    }
  };
  return output;
}
