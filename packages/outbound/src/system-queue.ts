import type { FoundAddress, LookupAll } from './found-address.ts';
import { orAborted } from './or-aborted.ts';

/**
 * Lets one look-up of the operating system run at a time, counted until it really ends: nobody can call it off, and it keeps a thread that
 * the rest of the process looks its own names up in. The others wait until their signal aborts; more than `waiting` are
 * refused.
 */
export function createSystemQueue(
  ask: (host: string) => Promise<FoundAddress[]>,
  { waiting }: { waiting: number },
): LookupAll {
  const queue = new Set<() => void>();
  let isBusy = false;

  async function enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!isBusy) {
      isBusy = true;
      return;
    }
    if (queue.size >= waiting) throw new Error('too many names wait for the system');
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.add(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      // Whoever was let in at that moment lets the next one in.
      if (!queue.delete(resolve)) next();
      throw error;
    }
  }

  function next(): void {
    const [first] = queue;
    isBusy = first !== undefined;
    if (!first) return;
    queue.delete(first);
    first();
  }

  return async (host, signal) => {
    await enter(signal);
    const answer = (async () => await ask(host))().finally(next);
    return await orAborted(answer, signal);
  };
}
