import type { Broadcast } from '@tabletop-relay/cluster';

/** A world coming or going, as the dashboard follows it. */
export interface PresenceChange {
  accountId: string;
  clientId: string;
  isOnline: boolean;
}

export interface PresenceFeed {
  /** Publishes to all instances. Best effort: the list is the truth. */
  announce(change: PresenceChange): void;
  /** `undefined`: some may have been missed, read the list again. */
  subscribe(accountId: string, listener: (change: PresenceChange | undefined) => void): () => void;
}

const topic = 'presence';
/** In one message, about 50 KB. */
const mostTogether = 500;

export function createPresenceFeed(broadcast: Broadcast): PresenceFeed {
  const listeners = new Map<string, Set<(change: PresenceChange | undefined) => void>>();
  let waiting: PresenceChange[] = [];
  broadcast.subscribe(topic, (message) => {
    if (listeners.size === 0) return;
    const changes = [JSON.parse(message) as PresenceChange | PresenceChange[]].flat();
    for (const change of changes)
      for (const listener of listeners.get(change.accountId) ?? []) listener(change);
  });
  broadcast.onGap(() => {
    for (const ofAccount of listeners.values()) for (const listener of ofAccount) listener(undefined);
  });
  /** Publishes the changes of one turn of the event loop together: thousands of worlds may come back at once. */
  function publishWaiting(): void {
    const changes = waiting;
    waiting = [];
    for (let at = 0; at < changes.length; at += mostTogether) {
      const some = changes.slice(at, at + mostTogether);
      // An instance of an older version reads a single change only.
      void broadcast.publish(topic, JSON.stringify(some.length === 1 ? some[0] : some)).catch(() => {});
    }
  }

  return {
    announce(change) {
      if (waiting.push(change) === 1) setImmediate(publishWaiting);
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
