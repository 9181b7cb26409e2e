import type { Logger } from 'pino';

const batchSize = 500;
/** The database does not keep up when a batch takes longer. */
const slowMs = 5_000;

/** What waits to be written. */
export interface WriteQueue<E> {
  readonly size: number;
  take(count: number): E[];
  putBack(entries: readonly E[]): void;
}

export interface WriteLoopOptions<E> {
  waiting: WriteQueue<E>;
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

/** Rows that wait to be written. Each has an owner, and no owner's rows push out another's. */
export interface Backlog<T> {
  readonly size: number;
  add(owner: string, row: T): void;
  /** The oldest rows, at most `count`: one of each owner in turn. */
  take(count: number): Waiting<T>[];
  /** Rows that were taken and could not be written: they are the first of their owners again. */
  putBack(taken: readonly Waiting<T>[]): void;
  has(owner: string): boolean;
}

export interface Waiting<T> {
  owner: string;
  row: T;
}

export interface BacklogOptions<T> {
  maxRows: number;
  maxRowsPerOwner: number;
  onDrop(owner: string, row: T): void;
}

/**
 * Two bounds: an owner with too many rows loses its own oldest; when all owners together have too many, the one
 * with the most rows loses its oldest. So an owner with few rows keeps them, whatever the others do.
 */
export function createBacklog<T>({ maxRows, maxRowsPerOwner, onDrop }: BacklogOptions<T>): Backlog<T> {
  /** The queues in the order of their turns. */
  const queues = new Map<string, T[]>();
  const lengths = createLengths();

  function queueOf(owner: string): T[] {
    let queue = queues.get(owner);
    if (!queue) queues.set(owner, (queue = []));
    return queue;
  }

  function shift(owner: string, queue: T[]): T {
    const row = queue.shift() as T;
    lengths.change(owner, queue.length + 1, queue.length);
    return row;
  }

  function drop(owner: string): void {
    const queue = queueOf(owner);
    const row = shift(owner, queue);
    if (queue.length === 0) queues.delete(owner);
    onDrop(owner, row);
  }

  function dropOverBounds(owner: string, queue: readonly T[]): void {
    if (queue.length > maxRowsPerOwner) drop(owner);
    else if (lengths.total() > maxRows) drop(lengths.ownerOfLongest());
  }

  return {
    get size() {
      return lengths.total();
    },
    add(owner, row) {
      const queue = queueOf(owner);
      queue.push(row);
      lengths.change(owner, queue.length - 1, queue.length);
      dropOverBounds(owner, queue);
    },
    take(count) {
      const taken: Waiting<T>[] = [];
      // An owner that is put back at the end while this runs gets its next turn in the same walk.
      for (const [owner, queue] of queues) {
        if (taken.length === count) break;
        queues.delete(owner);
        taken.push({ owner, row: shift(owner, queue) });
        if (queue.length > 0) queues.set(owner, queue);
      }
      return taken;
    },
    putBack(taken) {
      for (const { owner, row } of taken.toReversed()) {
        const queue = queueOf(owner);
        queue.unshift(row);
        lengths.change(owner, queue.length - 1, queue.length);
        dropOverBounds(owner, queue);
      }
    },
    has: (owner) => queues.has(owner),
  };
}

/** The owners by how many rows they have: finds the longest queue without a walk over all of them. */
function createLengths() {
  const ownersByLength: Set<string>[] = [];
  let longest = 0;
  let total = 0;
  return {
    total: () => total,
    change(owner: string, from: number, to: number): void {
      ownersByLength[from]?.delete(owner);
      if (to > 0) (ownersByLength[to] ??= new Set()).add(owner);
      total += to - from;
      longest = Math.max(longest, to);
      while (longest > 0 && !ownersByLength[longest]?.size) longest--;
    },
    ownerOfLongest: () => (ownersByLength[longest] as Set<string>).values().next().value as string,
  };
}
