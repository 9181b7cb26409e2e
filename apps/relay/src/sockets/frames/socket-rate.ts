/** A rate limit for each socket. */
export interface SocketRate {
  /** Counts one event of the socket. `refusedInARow` is 0 if it is allowed, else the refusals since the last allowed one. */
  spend(socket: object): { refusedInARow: number };
}

interface Bucket {
  left: number;
  at: number;
  refused: number;
}

/** A token bucket that holds `max` events and is refilled by `max` in each `windowMs`. */
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
