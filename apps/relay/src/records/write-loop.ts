import type { Logger } from 'pino';

const batchSize = 500;
/** The database does not keep up when a batch takes longer. */
const slowMs = 5_000;

/** What waits to be written. */
export interface Waiting<E> {
  readonly size: number;
  take(count: number): E[];
  putBack(entries: readonly E[]): void;
}

export interface WriteLoopOptions<E> {
  waiting: Waiting<E>;
  log: Logger;
  everyMs: number;
  writeBatch(batch: readonly E[]): Promise<void>;
  /** Called before each batch while the database takes them: it may add rows. */
  beforeBatch(): void;
  /** Whether there is something to tell of in rows that are not added yet. */
  hasMoreToAdd(): boolean;
  /** A batch that is not full ends the round, so that rows that come meanwhile share the next one. */
  waitsAfterPartBatch?: true;
}

/** Writes the rows that wait, in batches and one batch at a time. */
export interface WriteLoop {
  /** Writes after a while, so that rows share a batch. */
  writeSoon(): void;
  /** Resolves when all that waits is in the database; rejects after `deadlineMs` without it. */
  flush(deadlineMs?: number): Promise<void>;
  isDatabaseAway(): boolean;
  /** Ends the timer. */
  stop(): void;
}

export function createWriteLoop<E>(options: WriteLoopOptions<E>): WriteLoop {
  const { waiting, log, everyMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let batchBeganAt = Infinity;
  let failing = false;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void write(), failing ? 5 * everyMs : everyMs).unref();
  }

  function write(): Promise<void> {
    stop();
    writing ??= writeBatches().finally(() => {
      writing = undefined;
      if (waiting.size > 0 || options.hasMoreToAdd()) writeSoon();
    });
    return writing;
  }

  /** A batch that the database does not take goes back to the head of the backlog. */
  async function writeBatches(): Promise<void> {
    for (;;) {
      if (!failing) options.beforeBatch();
      const batch = waiting.take(batchSize);
      if (batch.length === 0) return;
      batchBeganAt = performance.now();
      try {
        await options.writeBatch(batch);
        failing = false;
        if (options.waitsAfterPartBatch && batch.length < batchSize) return;
      } catch (error) {
        failing = true;
        waiting.putBack(batch);
        log.warn({ err: error, backlog: waiting.size }, 'records wait for Postgres');
        return;
      } finally {
        batchBeganAt = Infinity;
      }
    }
  }

  return {
    writeSoon,
    async flush(deadlineMs = 5000) {
      const deadline = performance.now() + deadlineMs;
      for (;;) {
        await write();
        if (waiting.size === 0) return;
        if (performance.now() > deadline) throw new Error(`${waiting.size} records could not be written`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    isDatabaseAway: () => failing || performance.now() - batchBeganAt > slowMs,
    stop,
  };
}
