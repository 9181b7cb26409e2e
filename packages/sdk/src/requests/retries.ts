import { RelayError } from './relay-error.ts';

export interface RetryOptions {
  retries: number;
  signal: AbortSignal | undefined;
}

const longestWaitMs = 30_000;

/** Repeats what fails and may be repeated as it is: never a command that may have reached the world. */
export async function withRetries<T>(
  { retries, signal }: RetryOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= retries || !(error instanceof RelayError) || !error.retryable) throw error;
      const waitMs = error.retryAfterMs ?? Math.random() * Math.min(longestWaitMs, 250 * 2 ** failures);
      if (waitMs > longestWaitMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** Resolves after a while; rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort);
  });
}
