import { Budget } from '@tabletop-relay/kit';
import type { GiveBack, Owner } from '@tabletop-relay/kit';

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
  hold(source: ReplySource, bytes: number): GiveBack | undefined;
}

/** Smaller replies are not counted. The number of calls in flight bounds them. */
export const smallReplyBytes = 64 * 1024;

export function createReplyBytes(limits: ReplyByteLimits, held: { set(bytes: number): void }): ReplyBytes {
  const budget = new Budget(limits.ofInstance);
  const stopped = new Set<ReplySource>();
  const ownersOf = (source: ReplySource): Owner[] => [
    { of: source, most: limits.ofClient },
    { of: source.identity.accountId, most: limits.ofAccount },
  ];
  const isFull = (source: ReplySource) => budget.lacking(ownersOf(source)) !== undefined;
  budget.onRoom(() => {
    held.set(budget.total);
    for (const source of stopped) {
      if (isFull(source)) continue;
      stopped.delete(source);
      source.inflow.free('replies');
    }
  });

  return {
    hold: (source, bytes) => {
      if (bytes <= smallReplyBytes) return undefined;
      const giveBack = budget.add(ownersOf(source), bytes);
      held.set(budget.total);
      if (isFull(source)) {
        stopped.add(source);
        source.inflow.hold('replies');
      }
      return giveBack;
    },
  };
}
