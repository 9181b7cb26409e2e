/** Work that is done a few milliseconds at a time, in its order, so that calls are served in between. */
export interface Slices {
  add(work: () => void): void;
  readonly waiting: number;
}

const sliceMs = 4;

/**
 * Runs what waits for at most `sliceMs` in each turn of the event loop. When ten thousand worlds connect or leave at once,
 * the turn that does all of it would keep every call waiting.
 */
export function createSlices(now = () => performance.now()): Slices {
  let waiting: (() => void)[] = [];
  let done = 0;
  let isDue = false;

  function runSlice(): void {
    const until = now() + sliceMs;
    try {
      do waiting[done++]?.();
      while (done < waiting.length && now() < until);
    } finally {
      goOn();
    }
  }

  function goOn(): void {
    isDue = done < waiting.length;
    if (isDue) setImmediate(runSlice);
    else {
      waiting = [];
      done = 0;
    }
  }

  return {
    add(work) {
      waiting.push(work);
      if (isDue) return;
      isDue = true;
      setImmediate(runSlice);
    },
    get waiting() {
      return waiting.length - done;
    },
  };
}
