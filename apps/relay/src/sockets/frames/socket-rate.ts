/** How often a socket may do one thing. */
export interface SocketRate {
  /** Takes one of the socket's tries. `refusedInARow` counts up to and with this one; 0: it may. */
  spend(socket: object): { refusedInARow: number };
}

interface Bucket {
  left: number;
  at: number;
  refused: number;
}

/** `max` at once, and as many again in each `windowMs`, refilled steadily. */
export function createSocketRate(
  { max, windowMs }: { max: number; windowMs: number },
  now: () => number = () => performance.now(),
): SocketRate {
  const buckets = new WeakMap<object, Bucket>();
  return {
    spend(socket) {
      const at = now();
      let bucket = buckets.get(socket);
      if (!bucket) buckets.set(socket, (bucket = { left: max, at, refused: 0 }));
      bucket.left = Math.min(max, bucket.left + ((at - bucket.at) * max) / windowMs);
      bucket.at = at;
      if (bucket.left >= 1) {
        bucket.left--;
        bucket.refused = 0;
      } else {
        bucket.refused++;
      }
      return { refusedInARow: bucket.refused };
    },
  };
}
