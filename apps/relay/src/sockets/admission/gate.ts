import type { Deadlines } from '../deadlines.ts';

/** Why a task was not run: who asked for it had gone, or too many waited already. */
export type TurnedAway = 'gone' | 'full';

/** Runs tasks a few at a time, in the order in which they came. One whose `gone` is aborted leaves the line. */
export type Gate = <T>(task: () => Promise<T>, gone: AbortSignal) => Promise<T | TurnedAway>;

export interface GateOptions {
  /** Tasks that run at a time. */
  width: number;
  /** Tasks that may wait. */
  room: number;
  /** After so long a running task keeps nobody waiting: it goes on, and its place is given away. */
  patienceMs: number;
}

/**
 * Lets `width` tasks in at a time: when ten thousand worlds come back at once, each is let in quickly one after
 * another, instead of all of them waiting for all others, and calls in between find room.
 */
export function createGate(deadlines: Deadlines, { width, room, patienceMs }: GateOptions): Gate {
  const waiting = new Set<() => void>();
  let free = width;

  function leave(): void {
    const [next] = waiting;
    if (!next) return void free++;
    waiting.delete(next);
    next();
  }

  function enter(gone: AbortSignal): Promise<'in' | TurnedAway> | 'in' | TurnedAway {
    if (gone.aborted) return 'gone';
    if (free > 0) {
      free--;
      return 'in';
    }
    if (waiting.size >= room) return 'full';
    return new Promise((resolve) => {
      const goIn = () => {
        gone.removeEventListener('abort', giveUp);
        resolve('in');
      };
      const giveUp = () => {
        waiting.delete(goIn);
        resolve('gone');
      };
      waiting.add(goIn);
      gone.addEventListener('abort', giveUp, { once: true });
    });
  }

  return async function pass(task, gone) {
    const entry = await enter(gone);
    if (entry !== 'in') return entry;
    let isInside = true;
    const giveAway = deadlines.add(patienceMs, () => {
      isInside = false;
      leave();
    });
    try {
      return await task();
    } finally {
      giveAway.cancel();
      if (isInside) leave();
    }
  };
}
