import { createFairQueue } from './fair-queue.ts';
import type { FairQueue, Group } from './fair-queue.ts';

/** A task that waits to be run. */
export interface Waiter {
  /** The groups that take turns, from the widest to the narrowest. No path may be the beginning of another. */
  path: readonly Group[];
  /** Known callers get three of four turns while both kinds wait, and lose their place last. */
  isKnown: boolean;
  /** On the monotonic clock. A task that has not begun by then is refused. */
  deadline: number;
}

/** Runs few tasks at a time. The others wait in a fair and bounded queue. */
export interface FairGate {
  /** Runs `work` at the waiter's turn. Rejects with `tooMany` where the queue is full or the deadline passes. */
  pass<T>(waiter: Waiter, work: () => Promise<T>): Promise<T>;
}

/** The least time between the begins of two tasks, where so many wait and the last of them gives up at `deadline`. */
export type PaceMs = (waiting: number, deadline: number) => number;

export type FairGateOptions = {
  /** Tasks that may wait. Above it the longest group loses its last. */
  waiting: number;
  tooMany: () => Error;
} & (
  | {
      /** Tasks that run at a time. */
      running: number;
    }
  | {
      /** Of each first group of a path one task runs at a time, at this pace, whatever the other groups do. */
      paceMs: PaceMs;
    }
);

interface Waiting extends Waiter {
  queue: FairQueue<Waiting>;
  admit(): void;
  refuse(): void;
}

/** Of four turns. */
const knownTurns = 3;

export function createFairGate(options: FairGateOptions): FairGate {
  const { waiting, tooMany } = options;
  const known = createFairQueue<Waiting>(waiting);
  const strangers = createFairQueue<Waiting>(waiting);
  const sizeOf = (key: string) => known.sizeOf(key) + strangers.sizeOf(key);
  const isPaced = 'paceMs' in options;
  const runs = isPaced ? boundGroups(options.paceMs, sizeOf, admit) : boundTotal(options.running);
  let turns = 0;

  function takeNext(key: string | undefined): Waiting | undefined {
    const isKnownsTurn = strangers.size === 0 || turns % (knownTurns + 1) < knownTurns;
    return (isKnownsTurn ? known.take(key) : undefined) ?? strangers.take(key) ?? known.take(key);
  }

  /** Begins what may run now after something changed in a first group. At a pace the others have nothing to do with it. */
  function admit(key: string): void {
    while (runs.mayBegin(key)) {
      const next = takeNext(isPaced ? key : undefined);
      if (!next) return;
      turns++;
      runs.begin(next);
      next.admit();
    }
  }

  function wait(waiter: Waiter): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = waiter.isKnown ? known : strangers;
      const end = (settle: () => void) => () => {
        clearTimeout(late);
        settle();
      };
      const refuse = end(() => reject(tooMany()));
      const item: Waiting = { ...waiter, queue, admit: end(resolve), refuse };
      const late = setTimeout(() => {
        queue.remove(item.path, item);
        refuse();
      }, waiter.deadline - performance.now()).unref();
      queue.add(item.path, item)?.refuse();
      if (known.size + strangers.size > waiting) (strangers.takeLast() ?? known.takeLast())?.refuse();
      runs.expect(item);
      admit(keyOf(item));
    });
  }

  return {
    async pass(waiter, work) {
      await wait(waiter);
      try {
        return await work();
      } finally {
        runs.end(waiter);
        admit(keyOf(waiter));
      }
    },
  };
}

const keyOf = ({ path }: Waiter): string => path[0]?.key ?? '';

/** Decides when the next task may run. */
interface Runs {
  /** Whether the next task may run, at a pace that of this first group. */
  mayBegin(key: string): boolean;
  expect(waiter: Waiter): void;
  begin(waiter: Waiter): void;
  end(waiter: Waiter): void;
}

function boundTotal(most: number): Runs {
  let free = most;
  return {
    mayBegin: () => free > 0,
    expect: () => {},
    begin: () => void free--,
    end: () => void free++,
  };
}

interface PacedGroup {
  isBusy: boolean;
  begunAt: number;
  /** Of the one that waits longest. */
  deadline: number;
  timer?: NodeJS.Timeout;
}

/** Keeps what it knows of a group for as long as its slowest pace holds behind its last task. */
function boundGroups(paceMs: PaceMs, sizeOf: (key: string) => number, admit: (key: string) => void): Runs {
  const groups = new Map<string, PacedGroup>();

  /** Until the next of the group may run; where nobody waits, until the group may be forgotten. */
  function waitMs(key: string, { begunAt, deadline }: PacedGroup): number {
    const waiting = sizeOf(key);
    return begunAt + (waiting > 0 ? paceMs(waiting, deadline) : paceMs(1, Infinity)) - performance.now();
  }

  function lookLater(key: string, group: PacedGroup): void {
    clearTimeout(group.timer);
    const look = () => {
      admit(key);
      if (group.isBusy) return;
      if (sizeOf(key) === 0 && waitMs(key, group) <= 0) groups.delete(key);
      else lookLater(key, group);
    };
    group.timer = setTimeout(look, Math.max(1, waitMs(key, group))).unref();
  }

  return {
    mayBegin(key) {
      const group = groups.get(key);
      return !group || (!group.isBusy && waitMs(key, group) <= 0);
    },
    expect(waiter) {
      const group = groups.get(keyOf(waiter));
      if (!group) return;
      group.deadline = Math.max(group.deadline, waiter.deadline);
      if (!group.isBusy) lookLater(keyOf(waiter), group);
    },
    begin(waiter) {
      const group = groups.get(keyOf(waiter)) ?? { isBusy: true, begunAt: 0, deadline: waiter.deadline };
      clearTimeout(group.timer);
      group.isBusy = true;
      group.begunAt = performance.now();
      groups.set(keyOf(waiter), group);
    },
    end(waiter) {
      const group = groups.get(keyOf(waiter));
      if (!group) return;
      group.isBusy = false;
      lookLater(keyOf(waiter), group);
    },
  };
}
