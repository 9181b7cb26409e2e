import type { FoundAddress, LookupAll } from './found-address.ts';
import { orAborted } from './or-aborted.ts';

/**
 * Lets one look-up of the operating system run at a time, counted until it really ends: nobody can call it off, and it holds a thread that
 * the rest of the process looks its own names up in. The others wait in line until their signal aborts; more than `waiting` are
 * refused.
 */
export function createSystemLine(
  ask: (host: string) => Promise<FoundAddress[]>,
  { waiting }: { waiting: number },
): LookupAll {
  const line = new Set<() => void>();
  let isBusy = false;

  async function turn(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!isBusy) {
      isBusy = true;
      return;
    }
    if (line.size >= waiting) throw new Error('too many names wait for the system');
    const { promise, resolve } = Promise.withResolvers<void>();
    line.add(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      // Who had the turn in the same moment gives it on.
      if (!line.delete(resolve)) next();
      throw error;
    }
  }

  function next(): void {
    const [first] = line;
    isBusy = first !== undefined;
    if (!first) return;
    line.delete(first);
    first();
  }

  return async (host, signal) => {
    await turn(signal);
    const answer = (async () => await ask(host))().finally(next);
    return await orAborted(answer, signal);
  };
}
