import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { RelayError } from '@tabletop-relay/sdk';

/**
 * Something that the relay knows and the page shows. What was read last stays while it is read again. An answer that a later read
 * overtook is shown only as long as there is none.
 */
export interface Resource<T> {
  data: ReadonlySignal<T | undefined>;
  problem: ReadonlySignal<RelayError | undefined>;
  /** Never rejects: what went wrong is in `problem`. */
  reload(): Promise<void>;
  forget(): void;
}

export function createResource<T>(read: () => Promise<T>): Resource<T> {
  const data = signal<T>();
  const problem = signal<RelayError>();
  let latest = 0;
  let forgotten = 0;
  return {
    data,
    problem,
    async reload() {
      const mine = ++latest;
      const isWanted = () => mine === latest || (mine > forgotten && data.peek() === undefined);
      try {
        const next = await read();
        if (!isWanted()) return;
        data.value = next;
        problem.value = undefined;
      } catch (error) {
        if (!(error instanceof RelayError)) throw error;
        if (mine === latest) problem.value = error;
      }
    },
    forget() {
      forgotten = ++latest;
      data.value = undefined;
      problem.value = undefined;
    },
  };
}
