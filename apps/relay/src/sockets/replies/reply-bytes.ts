/** The most bytes of large replies that may wait to leave this instance. */
export interface ReplyByteLimits {
  ofClient: number;
  ofAccount: number;
  ofInstance: number;
}

/** A module's socket, as far as its replies can be held up. */
export interface ReplySource {
  readonly identity: { accountId: string };
  readonly inflow: { hold(why: 'replies'): void; free(why: 'replies'): void };
}

/**
 * Counts the large replies that came from modules and that their callers have not read yet. A reply is never refused,
 * because its command has run. Instead a module is not read while it, its account or the instance is above a limit. So
 * each module can exceed a limit by one frame.
 */
export interface ReplyBytes {
  /** Counts a reply. Undefined for a small one, else a function to call when its bytes have left, or never will. */
  hold(source: ReplySource, bytes: number): (() => void) | undefined;
}

/** Smaller replies are not counted. The number of calls in flight bounds them. */
export const smallReplyBytes = 64 * 1024;

export function createReplyBytes(limits: ReplyByteLimits, held: { set(bytes: number): void }): ReplyBytes {
  const bySource = new Map<ReplySource, number>();
  const byAccount = new Map<string, number>();
  const stopped = new Set<ReplySource>();
  let total = 0;

  const add = (source: ReplySource, bytes: number): void => {
    total += bytes;
    addTo(bySource, source, bytes);
    addTo(byAccount, source.identity.accountId, bytes);
    held.set(total);
  };

  const isFull = (source: ReplySource): boolean =>
    total >= limits.ofInstance ||
    (bySource.get(source) ?? 0) >= limits.ofClient ||
    (byAccount.get(source.identity.accountId) ?? 0) >= limits.ofAccount;

  const release = (source: ReplySource, bytes: number): void => {
    add(source, -bytes);
    for (const other of stopped) {
      if (isFull(other)) continue;
      stopped.delete(other);
      other.inflow.free('replies');
    }
  };

  return {
    hold: (source, bytes) => {
      if (bytes <= smallReplyBytes) return undefined;
      add(source, bytes);
      if (isFull(source)) {
        stopped.add(source);
        source.inflow.hold('replies');
      }
      let isHeld = true;
      return () => {
        if (isHeld) release(source, bytes);
        isHeld = false;
      };
    },
  };
}

function addTo<K>(counts: Map<K, number>, key: K, bytes: number): void {
  const count = (counts.get(key) ?? 0) + bytes;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
