import type { Broadcast } from '../cluster.ts';
import type { MemoryHub } from './memory-hub.ts';

/** Broadcast within one process. No message is ever lost, so there are no gaps. */
export function createMemoryBroadcast({ listeners }: MemoryHub): Broadcast {
  return {
    publish: (topic, message) => {
      for (const listener of listeners.get(topic) ?? []) queueMicrotask(() => listener(message));
      return Promise.resolve();
    },
    subscribe: (topic, listener) => {
      const own = (message: string): void => listener(message);
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(own));
      return () => {
        all.delete(own);
        if (all.size === 0) listeners.delete(topic);
      };
    },
    onGap: () => () => {},
  };
}
