/** The reason why a task was not run: its module has disconnected, or too many tasks wait already. */
export type TurnedAway = 'gone' | 'full';

export interface Gate {
  /** Runs a few tasks at a time, in their order. A waiting task leaves the queue when its `gone` is aborted. */
  pass<T>(task: () => Promise<T>, gone: AbortSignal): Promise<T | TurnedAway>;
  readonly waiting: number;
}

export interface GateOptions {
  /** Tasks that run at a time. */
  width: number;
  /** Tasks that may wait. */
  mostWaiting: number;
  /** A task that runs for longer goes on, but the next one may start beside it. */
  patienceMs: number;
}

/**
 * Runs at most `width` tasks at a time. When ten thousand worlds come back at once, they are admitted one after another,
 * each quickly, and calls are served in between.
 */
export function createGate({ width, mostWaiting, patienceMs }: GateOptions): Gate {
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
    if (waiting.size >= mostWaiting) return 'full';
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

  return {
    async pass(task, gone) {
      const entry = await enter(gone);
      if (entry !== 'in') return entry;
      let isInside = true;
      const giveAway = setTimeout(() => {
        isInside = false;
        leave();
      }, patienceMs);
      try {
        return await task();
      } finally {
        clearTimeout(giveAway);
        if (isInside) leave();
      }
    },
    get waiting() {
      return waiting.size;
    },
  };
}
