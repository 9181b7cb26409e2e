const tickMs = 10;

/**
 * Begins to measure the time in which this process ran; the function that it returns tells the milliseconds and ends
 * the measuring. A machine that leaves the process waiting for its processor adds almost nothing, so bounds of what
 * the process does by itself hold on a busy machine as well.
 */
export function measureRunningTime(): () => number {
  let ranMs = 0;
  let tickedAt = performance.now();
  const count = (): void => {
    const now = performance.now();
    // A tick that comes late was kept waiting.
    ranMs += Math.min(now - tickedAt, 2 * tickMs);
    tickedAt = now;
  };
  const timer = setInterval(count, tickMs);
  return () => {
    clearInterval(timer);
    count();
    return ranMs;
  };
}
