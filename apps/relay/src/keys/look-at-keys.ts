import type { Logger } from 'pino';
import { ProblemError } from '../problem.ts';
import type { KeysByHash, Principal } from './authenticate.ts';

export interface KeyLooksOptions<Holder> {
  keys: Pick<KeysByHash, 'find'>;
  log: Logger;
  /** What is opened by a key, as the log says it. */
  what: string;
  /** The key as it is now. */
  found(principal: Principal, holders: readonly Holder[]): void;
  /** The key may not be used any more. */
  refused(error: unknown, holders: readonly Holder[]): void;
  /** The key cannot be read, or not for `answerMs`: nobody knows whether it still holds. */
  away?(holders: readonly Holder[]): void;
}

/** Looks at keys on which something that is open depends. */
export interface KeyLooks<Holder> {
  /** Looks at a key once for all that it opened. While it cannot be read the look is repeated, one for all of the key. */
  look(hash: string, holders: Iterable<Holder>): Promise<void>;
  stop(): void;
}

const retryMs = 500;
/** So long a read may take before it counts as away. */
const answerMs = 500;

export function createKeyLooks<Holder>(options: KeyLooksOptions<Holder>): KeyLooks<Holder> {
  const { keys, log, what, found, refused, away = () => {} } = options;
  const waiting = new Map<string, Set<Holder>>();
  const timers = new Set<NodeJS.Timeout>();

  function after(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
    return timer;
  }

  function lookAgain(hash: string, holders: readonly Holder[]): void {
    const known = waiting.get(hash);
    const all = known ?? new Set();
    for (const holder of holders) all.add(holder);
    if (known) return;
    waiting.set(hash, all);
    after(retryMs, () => {
      waiting.delete(hash);
      void look(hash, all);
    });
  }

  async function look(hash: string, of: Iterable<Holder>): Promise<void> {
    const holders = [...of];
    const late = after(answerMs, () => away(holders));
    try {
      found(await keys.find(hash), holders);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'unavailable') {
        away(holders);
        return lookAgain(hash, holders);
      }
      if (!(error instanceof ProblemError))
        log.error({ err: error }, `the key of a ${what} could not be checked`);
      refused(error, holders);
    } finally {
      clearTimeout(late);
      timers.delete(late);
    }
  }

  return {
    look,
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
