import type { Stream } from '../../endpoint-handler.ts';

/** Longer waits than 24 days end at once in Node. */
const longestWaitMs = 86_400_000;

/**
 * Closes a stream at the end of its session, wherever the session was used last: what ends by time makes no event. It is read
 * at once too, for the session may have ended between the check of the request and now. A stream whose session cannot be read
 * closes as well; browsers open theirs again.
 */
export function closeWithSession(
  stream: Pick<Stream, 'close' | 'onClose'>,
  { findEnd, now }: { findEnd: () => Promise<Date | undefined>; now(): number },
): void {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  stream.onClose(() => {
    isClosed = true;
    clearTimeout(timer);
  });

  async function check(): Promise<void> {
    const end = await findEnd().catch(() => undefined);
    if (isClosed) return;
    const waitMs = end === undefined ? 0 : end.getTime() - now();
    if (waitMs <= 0) return stream.close();
    timer = setTimeout(() => void check(), Math.min(waitMs, longestWaitMs)).unref();
  }
  void check();
}
