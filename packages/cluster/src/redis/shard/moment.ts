/**
 * A moment on both clocks of the machine. While a virtual machine is suspended the monotonic clock stands still, and the wall
 * clock is right again when it wakes.
 */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function momentNow(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Time since a moment that the monotonic clock did not count: the machine was suspended, or its wall clock was set forward. */
export function uncountedMsSince(moment: Moment): number {
  const now = momentNow();
  return now.wallMs - moment.wallMs - (now.monotonicMs - moment.monotonicMs);
}
