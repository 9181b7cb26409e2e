import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { RelayError } from '@tabletop-relay/sdk';

/** Something a button does: it runs once at a time, and what went wrong is kept to be shown. */
export interface Action<A extends unknown[]> {
  /** Resolves with whether it worked. */
  run(...args: A): Promise<boolean>;
  isBusy: ReadonlySignal<boolean>;
  problem: ReadonlySignal<RelayError | undefined>;
}

export function useAction<A extends unknown[]>(work: (...args: A) => Promise<void>): Action<A> {
  const isBusy = useSignal(false);
  const problem = useSignal<RelayError | undefined>(undefined);
  return {
    isBusy,
    problem,
    async run(...args) {
      if (isBusy.peek()) return false;
      isBusy.value = true;
      problem.value = undefined;
      try {
        await work(...args);
        return true;
      } catch (error) {
        if (!(error instanceof RelayError)) throw error;
        problem.value = error;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}
