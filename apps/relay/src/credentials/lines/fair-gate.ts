import { ProblemError } from '../../problem.ts';
import { createFairLine } from './fair-line.ts';
import type { FairLine, Group } from './fair-line.ts';

/** A task that waits for its turn. */
export interface Visitor {
  /** The groups that take turns: address prefixes, then the account. */
  path: readonly Group[];
  /** True for a signed-in person or a known device. They get three of four turns while both kinds wait. */
  isKnown: boolean;
  /** On the monotonic clock. A task that has not begun by then is answered `overloaded`. */
  deadline: number;
}

/** Runs a limited number of tasks at a time. The others wait in a fair and bounded queue. */
export interface FairGate {
  /** Runs `work` at the visitor's turn. Rejects with `overloaded` if the queue is full or the deadline passes. */
  pass<T>(visitor: Visitor, work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
  isIdle(): boolean;
  /** Removes the last of the longest group. */
  dropLast(): void;
}

export interface FairGateOptions {
  running: number;
  waiting: number;
  /** The least time between two turns, so that all who wait are done at the `deadline` of the last. */
  paceMs?: (waiting: number, deadline: number) => number;
}

interface Waiting {
  path: readonly Group[];
  line: FairLine<Waiting>;
  admit(): void;
  refuse(): void;
}

const knownTurns = 3;

export function createFairGate({ running, waiting, paceMs = () => 0 }: FairGateOptions): FairGate {
  const lines = createTwoLines(waiting);
  let free = running;
  let lastTurnAt = -Infinity;
  let lastDeadline = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function admit(): void {
    while (free > 0 && lines.size() > 0) {
      const waitMs = lastTurnAt + paceMs(lines.size(), lastDeadline) - performance.now();
      if (waitMs > 0) {
        clearTimeout(timer);
        timer = setTimeout(admit, waitMs).unref();
        return;
      }
      lastTurnAt = performance.now();
      free--;
      lines.takeNext()?.admit();
    }
  }

  const dropLast = () => lines.takeLast()?.refuse();

  function wait({ path, isKnown, deadline }: Visitor): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = isKnown ? lines.known : lines.strangers;
      const end = (settle: () => void) => () => {
        clearTimeout(late);
        settle();
      };
      const refuse = end(() => reject(tooMany()));
      const item: Waiting = { path, line, admit: end(resolve), refuse };
      const late = setTimeout(() => {
        line.remove(path, item);
        refuse();
      }, deadline - performance.now()).unref();
      lastDeadline = Math.max(lastDeadline, deadline);
      line.add(path, item)?.refuse();
      if (lines.size() > waiting) dropLast();
      admit();
    });
  }

  return {
    async pass(visitor, work) {
      await wait(visitor);
      try {
        return await work();
      } finally {
        free++;
        admit();
      }
    },
    get waiting() {
      return lines.size();
    },
    isIdle: () => free === running && lines.size() === 0,
    dropLast,
  };
}

/** The known and the strangers: three of four turns go to the known while both kinds wait. */
function createTwoLines(places: number) {
  const known = createFairLine<Waiting>(places);
  const strangers = createFairLine<Waiting>(places);
  let turns = 0;
  return {
    known,
    strangers,
    size: () => known.size + strangers.size,
    takeNext(): Waiting | undefined {
      const isKnownsTurn = strangers.size === 0 || turns % (knownTurns + 1) < knownTurns;
      turns++;
      return (isKnownsTurn ? known.take() : undefined) ?? strangers.take() ?? known.take();
    },
    takeLast: (): Waiting | undefined => strangers.takeLast() ?? known.takeLast(),
  };
}

function tooMany(): ProblemError {
  return new ProblemError('overloaded', 'Too many sign-ins at once. Try again in a moment.', {
    retryAfterS: 2,
  });
}
