import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { RelayError } from '@tabletop-relay/sdk';
import { useEffect } from 'preact/hooks';

/** A request that a link names, which a person decides on its page. */
export interface AskedRequest<T> {
  request: Signal<T | undefined>;
  problem: Signal<RelayError | undefined>;
  read(): Promise<void>;
}

/** Reads the request of a code when its page opens. */
export function useRequest<T>(get: (named: { code: string }) => Promise<T>, code: string): AskedRequest<T> {
  const request = useSignal<T | undefined>(undefined);
  const problem = useSignal<RelayError | undefined>(undefined);
  const read = async () => {
    try {
      request.value = await get({ code });
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      problem.value = error;
    }
  };
  useEffect(() => void read(), [code]);
  return { request, problem, read };
}
