import { createListener } from '@tabletop-relay/database';
import type { ListenerOptions } from '@tabletop-relay/database';

/** Each statement of session-states.ts that somebody may wait for notifies it with the session's id. */
export const sessionChannel = 'headless_sessions';

/** In case a notice is lost, or Postgres is restarted. */
const lookEveryMs = 2_000;

/** Wakes whoever waits for a change of a session, on whichever machine it was made. */
export interface SessionNotices {
  /** Returns what ends it. */
  on(sessionId: string, onNotice: () => void): () => void;
  watch(sessionId: string): SessionWatch;
  close(): Promise<void>;
}

/** To be begun before the first look, so that no change is missed between a look and the wait after it. */
export interface SessionWatch {
  /**
   * Resolves when the session may have changed since the last call: at a notice, after 2 s in any case, after `withinMs`
   * where that is less, and when `signal` is aborted.
   */
  next(withinMs: number, signal?: AbortSignal): Promise<void>;
  end(): void;
}

export function createSessionNotices(options: Omit<ListenerOptions, 'channel'>): SessionNotices {
  const listener = createListener({ ...options, channel: sessionChannel });
  return {
    on: (sessionId, onNotice) => listener.on(sessionId, onNotice),
    watch: (sessionId) => createWatch((onNotice) => listener.on(sessionId, onNotice)),
    close: () => listener.close(),
  };
}

function createWatch(listen: (onNotice: () => void) => () => void): SessionWatch {
  let hasChanged = false;
  let wake = () => {};
  const end = listen(() => {
    hasChanged = true;
    wake();
  });
  return {
    async next(withinMs, signal) {
      if (!hasChanged && !signal?.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, Math.min(withinMs, lookEveryMs));
        signal?.addEventListener('abort', wake, { once: true });
        await promise;
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
      }
      hasChanged = false;
    },
    end,
  };
}

/** Looks at once, and whenever the session may have changed, until a look tells something. Undefined where none did in time. */
export async function lookUntil<T>(
  notices: Pick<SessionNotices, 'watch'>,
  { sessionId, withinMs }: { sessionId: string; withinMs: number },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const watch = notices.watch(sessionId);
  const deadline = performance.now() + withinMs;
  try {
    for (;;) {
      const leftMs = deadline - performance.now();
      const seen = await look();
      if (seen !== undefined || leftMs <= 0) return seen;
      await watch.next(leftMs);
    }
  } finally {
    watch.end();
  }
}
