/** So long the relay carries out one command under a key. With a `reservedAt` that much later, a key is a new one. */
export const idempotencyKeptMs = 3_600_000;
