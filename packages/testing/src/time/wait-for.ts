import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `condition` until its result is neither false nor undefined, and resolves with that result. An error counts as
 * "not yet".
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 15_000, intervalMs = 10 }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const result = await condition();
      cause = undefined;
      if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`, { cause });
    }
    await delay(intervalMs);
  }
}
