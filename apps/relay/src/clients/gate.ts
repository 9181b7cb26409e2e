import type { Deadlines } from './deadlines.ts';

/** Runs tasks a few at a time, in the order in which they came. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Lets `width` tasks in at a time: when ten thousand worlds come back at once, each is let in quickly one after
 * another, instead of all of them waiting for all others, and calls in between find room. A task that takes
 * longer than `patienceMs` goes on and its place is given away: one that waits keeps nobody else waiting.
 */
export function createGate(
  deadlines: Deadlines,
  { width, patienceMs }: { width: number; patienceMs: number },
): Gate {
  const waiting: (() => void)[] = [];
  let free = width;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return async function pass(task) {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let inside = true;
    const giveUp = deadlines.add(patienceMs, () => {
      inside = false;
      leave();
    });
    try {
      return await task();
    } finally {
      giveUp.cancel();
      if (inside) leave();
    }
  };
}
