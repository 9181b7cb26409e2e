import { Budget } from '@tabletop-relay/kit';

export interface RetryOptions {
  /** How long one waits to be let in; 0: not at all. */
  waitMs: number;
  /** How many wait at a time. */
  most: number;
}

/** Between two tries of one socket, at random, so that not all that wait ask at once. */
const soonestMs = 500;
const spreadMs = 1_500;

/**
 * Lets connecting sockets wait while they cannot be let in for a reason that passes. Today's modules count the closes of their
 * socket and stay away for good after twenty, but they wait for an answer as long as it takes.
 */
export function createRetries({ waitMs, most }: RetryOptions) {
  const waiting = new Budget(most);

  const pause = (gone: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', goOn);
        resolve();
      };
      const timer = setTimeout(goOn, soonestMs + Math.random() * spreadMs);
      gone.addEventListener('abort', goOn);
    });

  return {
    /** Tries again as long as the result says so, the module waits and not too many do. Resolves with the last result. */
    async retry<T>(input: {
      attempt: () => Promise<T>;
      isPassing: (result: T) => boolean;
      gone: AbortSignal;
      onWait: () => void;
    }): Promise<T> {
      const { attempt, isPassing, gone, onWait } = input;
      let result = await attempt();
      const leave = isPassing(result) && waitMs > 0 ? waiting.take([]) : undefined;
      if (!leave) return result;
      const until = performance.now() + waitMs;
      onWait();
      try {
        while (isPassing(result) && performance.now() < until) {
          await pause(gone);
          result = await attempt();
        }
        return result;
      } finally {
        leave();
      }
    },
  };
}
