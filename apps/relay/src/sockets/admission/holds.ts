export interface HoldOptions {
  /** How long one is held; 0: not at all. */
  holdMs: number;
  /** How many are held at a time. */
  room: number;
}

/** Between two tries of one socket, at random, so that not all that are held ask at once. */
const soonestMs = 500;
const spreadMs = 1_500;

/**
 * Holds connecting sockets while they cannot be let in for a reason that passes. Today's modules count the closes of their
 * socket and stay away for good after twenty, but they wait for an answer as long as it takes.
 */
export function createHolds({ holdMs, room }: HoldOptions) {
  let held = 0;

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
    /** Tries again as long as the result says so, the module waits and there is room. Resolves with the last result. */
    async retry<T>(input: {
      attempt: () => Promise<T>;
      isPassing: (result: T) => boolean;
      gone: AbortSignal;
      onHold: () => void;
    }): Promise<T> {
      const { attempt, isPassing, gone, onHold } = input;
      let result = await attempt();
      if (!isPassing(result) || holdMs === 0 || held >= room) return result;
      const until = performance.now() + holdMs;
      onHold();
      held++;
      try {
        while (isPassing(result) && performance.now() < until) {
          await pause(gone);
          result = await attempt();
        }
        return result;
      } finally {
        held--;
      }
    },
  };
}
