const longestMs = 7_200_000;
/** A receiver may ask for a later try, within this. */
const longestAskedMs = 21_600_000;

export interface RetryOptions {
  /** The tries that failed so far. */
  tries: number;
  firstMs: number;
  retryAfterMs?: number | undefined;
  random(): number;
}

/**
 * How long to wait for the next try: twice as long each time, a quarter more or less at random so that not all that failed
 * together come back together, and not before the receiver allows it.
 */
export function retryDelayMs({ tries, firstMs, retryAfterMs = 0, random }: RetryOptions): number {
  const usual = Math.min(longestMs, firstMs * 2 ** Math.min(tries - 1, 30));
  return Math.round(Math.max(usual * (0.75 + random() / 2), Math.min(retryAfterMs, longestAskedMs)));
}
