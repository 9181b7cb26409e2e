import type { Queue, Worker } from 'bullmq';

/** The store of a queue did not answer in time. */
class QueueUnavailable extends Error {
  override name = 'QueueUnavailable';
}

/** The longest wait for the first answer of the store. BullMQ itself would wait for ever. */
const usualWaitMs = 10_000;

/**
 * Returns a function that resolves once the store of the queue has answered, and rejects when that takes too long. The
 * message then tells what the connection said last.
 */
export function createReadiness(
  opened: Pick<Queue | Worker, 'waitUntilReady'> & {
    on(event: 'error', listener: (error: Error) => void): unknown;
  },
  waitMs = usualWaitMs,
): () => Promise<unknown> {
  let trouble: string | undefined;
  opened.on('error', ({ message }) => (trouble = message));
  return () => answerWithin(waitMs, opened.waitUntilReady(), () => trouble);
}

/** Rejects when what was asked of the store of a queue takes too long. `why`: what is known of the reason by then. */
export async function answerWithin<T>(
  waitMs: number,
  asked: Promise<T>,
  why = (): string | undefined => undefined,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const trouble = why();
    reject(new QueueUnavailable(`no answer within ${waitMs / 1_000} s${trouble ? `: ${trouble}` : ''}`));
  }, waitMs);
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
