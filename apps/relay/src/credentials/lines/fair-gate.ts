import { ProblemError } from '../../problem.ts';
import { createFairLine } from './fair-line.ts';
import type { FairLine, Group } from './fair-line.ts';

/** Who waits for a turn. */
export interface Visitor {
  /** Takes turns with others by this: address prefixes, then the account. */
  path: readonly Group[];
  /** Signed in, or on a device that was: three of four turns go to these while both kinds wait. */
  isKnown: boolean;
  /** On the monotonic clock: whose turn has not come then is answered `overloaded`. */
  deadline: number;
}

/** Lets so many through at once; the others wait in a fair and bounded line. */
export interface FairGate {
  /** Runs `work` when it is the visitor's turn; rejects with `overloaded` for whom there is no place, or no time. */
  pass<T>(visitor: Visitor, work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
  isIdle(): boolean;
  /** The last of the longest group gives up its place. */
  dropLast(): void;
}

export interface FairGateOptions {
  running: number;
  waiting: number;
  /** From one turn to the next, at least, while so many wait, the last of them until `deadline`. */
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
