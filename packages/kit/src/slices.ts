/** Work that is done a few milliseconds at a time, in its order, so that calls are served in between. */
export interface Slices {
  add(work: () => void): void;
  readonly waiting: number;
}

const sliceMs = 4;
/** What is done here often only begins the work, and Node does the rest of it later in the turn. */
const mostPerTurn = 64;

/**
 * Runs what waits for at most `sliceMs` in each turn of the event loop, and at most `mostPerTurn` of it. When ten thousand
 * worlds connect or leave at once, the turn that does all of it would keep every call waiting.
 */
export function createSlices(now = () => performance.now()): Slices {
  const waiting: (() => void)[] = [];

  function runSlice(): void {
    const until = now() + sliceMs;
    let done = 0;
    try {
      do waiting[done++]?.();
      while (done < waiting.length && done < mostPerTurn && now() < until);
    } finally {
      // At once, because under a steady load there may always be something that waits.
      waiting.splice(0, done);
      if (waiting.length > 0) setImmediate(runSlice);
    }
  }

  return {
    add(work) {
      if (waiting.push(work) === 1) setImmediate(runSlice);
    },
    get waiting() {
      return waiting.length;
    },
  };
}
