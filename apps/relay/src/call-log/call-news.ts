import type { Broadcast } from '@tabletop-relay/cluster';

/** Publishes to the pages of an account that calls were added to its log. */
export interface CallNews {
  /** Publishes to all instances. Best effort: the log is the truth. */
  announce(accountIds: Iterable<string>): void;
  subscribe(accountId: string, listener: () => void): () => void;
}

const topic = 'calls';

export function createCallNews(broadcast: Broadcast): CallNews {
  const listeners = new Map<string, Set<() => void>>();
  broadcast.subscribe(topic, (message) => {
    if (listeners.size === 0) return;
    for (const accountId of message.split(' '))
      for (const listener of listeners.get(accountId) ?? []) listener();
  });
  return {
    announce(accountIds) {
      const message = [...accountIds].join(' ');
      if (message !== '') void broadcast.publish(topic, message).catch(() => {});
    },
    subscribe(accountId, listener) {
      const ofAccount = listeners.get(accountId) ?? new Set();
      listeners.set(accountId, ofAccount.add(listener));
      return () => {
        ofAccount.delete(listener);
        if (ofAccount.size === 0) listeners.delete(accountId);
      };
    },
  };
}
