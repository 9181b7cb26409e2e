import type { Appended, AppendOutcome, StreamStore } from './stream-store.ts';
import type { StreamBounds, StreamId } from './streams.ts';

/** What one socket brought to one stream and the store does not have yet. */
export interface EventOutbox {
  push(event: Buffer): void;
  /** Tells of events that are not pushed. */
  pushGap(count: number): void;
  /** Sends what waits, and says who owns the stream even where nothing waits. */
  announce(): void;
  /** Resolves when everything is appended, or told as lost. Nothing may be pushed afterwards. */
  end(offline: boolean): Promise<void>;
  /** The store answers again. */
  wake(): void;
  stop(): void;
}

export interface EventOutboxOptions {
  store: StreamStore;
  stream: StreamId;
  conn: string;
  bounds: Pick<StreamBounds, 'backlogEvents' | 'backlogBytes' | 'backlogTotalBytes'>;
  backlog: Backlog;
}

/** What waits in all outboxes of a shard. */
export interface Backlog {
  bytes: number;
}

const batchEvents = 128;
const batchBytes = 256 * 1024;

/** How long to wait before the same batch is sent again. */
const pauseMs = { wait: 20, unowned: 250, failed: 100 };

// oxlint-disable-next-line max-lines-per-function -- One queue and the loop that empties it: they share all their state.
export function createEventOutbox({ store, stream, conn, bounds, backlog }: EventOutboxOptions): EventOutbox {
  let queue: Appended[] = [];
  let bytes = 0;
  let lastSeq = 0;
  let base = 0;
  /** Events that had no room, since the last of the queue. */
  let dropped = 0;
  let mustAnnounce = false;
  let isRunning = false;
  let isStopped = false;
  let ending: { offline: boolean; done: () => void } | undefined;
  let wakeUp: (() => void) | undefined;

  const count = (added: number): void => {
    bytes += added;
    backlog.bytes += added;
  };

  const hasRoomFor = ({ length }: Buffer): boolean =>
    queue.length < bounds.backlogEvents &&
    bytes + length <= bounds.backlogBytes &&
    backlog.bytes + length <= bounds.backlogTotalBytes;

  const enqueue = (kind: Appended['kind'], body: Buffer): void => {
    queue.push({ kind, seq: ++lastSeq, body });
    count(body.length);
  };

  const enqueueDropped = (): void => {
    if (dropped === 0) return;
    enqueue('gap', Buffer.from(String(dropped)));
    dropped = 0;
  };

  const pause = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  };

  const remove = (batch: readonly Appended[]): void => {
    queue = queue.slice(batch.length);
    for (const { seq, body } of batch) {
      count(-body.length);
      base = seq;
    }
    if (queue.length === 0) enqueueDropped();
  };

  /** Another conn owns the client: what waits here would come too late. What comes meanwhile is tried for itself. */
  const lose = async (): Promise<void> => {
    const late = [...queue];
    const unqueued = dropped;
    const lost = late.reduce((sum, entry) => sum + countOf(entry), unqueued);
    if (lost > 0) await store.appendLoss(stream, lost);
    if (isStopped) return;
    dropped -= unqueued;
    remove(late);
  };

  const clear = (): void => {
    queue = [];
    count(-bytes);
  };

  const isDone = (): boolean => isStopped || (queue.length === 0 && !mustAnnounce && !ending);

  /** Resolves with the time to wait before the next step. */
  const step = async (): Promise<number> => {
    const announced = mustAnnounce;
    const batch = firstOf(queue);
    const isLast = ending !== undefined && batch.length === queue.length && dropped === 0;
    const offline = isLast && ending?.offline === true;
    const outcome: AppendOutcome = await store.append(stream, { conn, base, entries: batch, offline });
    if (isStopped) return 0;
    if (outcome === 'wait') return pauseMs.wait;
    // A claim that is asserted again soon owns the stream again; that of a socket that has ended is not.
    if (outcome === 'unowned' && !ending) return pauseMs.unowned;
    if (outcome === 'appended') remove(batch);
    else await lose();
    if (announced) mustAnnounce = false;
    if (isLast && queue.length === 0) {
      ending?.done();
      ending = undefined;
      isStopped = true;
    }
    return 0;
  };

  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (!isDone()) {
      const waitMs = await step().catch(() => pauseMs.failed);
      if (waitMs > 0) await pause(waitMs);
    }
    isRunning = false;
  };

  return {
    push: (event) => {
      if (isStopped || ending) return;
      if (!hasRoomFor(event)) dropped++;
      else {
        enqueueDropped();
        enqueue('event', event);
      }
      void run();
    },
    pushGap: (count) => {
      if (isStopped || ending) return;
      dropped += count;
      if (queue.length < bounds.backlogEvents) enqueueDropped();
      void run();
    },
    announce: () => {
      mustAnnounce = true;
      void run();
    },
    end: (offline) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (isStopped || ending) resolve();
      else ending = { offline, done: resolve };
      void run();
      return promise;
    },
    wake: () => wakeUp?.(),
    stop: () => {
      isStopped = true;
      clear();
      ending?.done();
      wakeUp?.();
    },
  };
}

function firstOf(queue: readonly Appended[]): Appended[] {
  let size = 0;
  const end = queue.findIndex(({ body }, index) => {
    size += body.length;
    return index >= batchEvents || (index > 0 && size > batchBytes);
  });
  return end < 0 ? [...queue] : queue.slice(0, end);
}

const countOf = ({ kind, body }: Appended): number => (kind === 'gap' ? Number(body.toString()) : 1);
