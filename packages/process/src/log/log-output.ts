import { pino } from 'pino';

export interface LogOutputOptions {
  /** Bytes that may wait for a reader. Lines beyond it are dropped. */
  maxWaitingBytes: number;
  onDrop(): void;
  /** Called when bytes were written, so there may be room again. */
  onFlow(): void;
}

/** A fatal line and the end of the process wait this long for a reader. */
const patienceMs = 1_000;

/**
 * Opens standard output for a log. Writing never blocks: lines that nobody reads are kept up to the bound, and further
 * ones are dropped. The kept lines are written at the end of the process and after a fatal line, if somebody reads.
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
