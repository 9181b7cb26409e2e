import { RelayError } from './relay-error.ts';

export interface RetryOptions {
  retries: number;
  signal: AbortSignal | undefined;
  /** For a command with an idempotency key. */
  keyed?: KeyedRetries | undefined;
}

interface KeyedRetries {
  /** Whether the relay carries out one command under a key. An older one would carry out each repeat. */
  isHonoured: () => Promise<boolean>;
  /** How long the command may be found running, beside the repeats. */
  runningMs: number;
}

const longestWaitMs = 30_000;

/**
 * Repeats what fails and may be repeated as it is. A command that may have reached the world is repeated with its key alone, until the
 * relay tells what became of it or that nobody knows.
 */
export async function withRetries<T>(
  { retries, signal, keyed }: RetryOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  /** Why it is not known whether the command was carried out. */
  let unknown: RelayError | undefined;
  for (let failures = 0; ;) {
    try {
      if (unknown && !(await keyed?.isHonoured())) throw unknown;
      return await attempt();
    } catch (error) {
      if (!(error instanceof RelayError) || error === unknown) throw error;
      const isOpen = keyed !== undefined && error.outcome === 'unknown' && error.code !== 'outcome_unknown';
      if (isOpen) unknown ??= error;
      const isRunning =
        error.code === 'idempotency_running' && performance.now() - startedAt < (keyed?.runningMs ?? 0);
      const waitMs = error.retryAfterMs ?? Math.random() * Math.min(longestWaitMs, 250 * 2 ** failures);
      const isLast = failures >= retries && !isRunning;
      // A repeat that was not sent says nothing of the command before it.
      if (isLast || !(error.retryable || isOpen) || waitMs > longestWaitMs)
        throw unknown && (error.retryable || error.outcome === 'not_sent') ? unknown : error;
      if (!isRunning) failures += 1;
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
