import type { Broadcast } from '@tabletop-relay/cluster';

/** A world coming or going, as the dashboard follows it. */
export interface PresenceChange {
  accountId: string;
  clientId: string;
  isOnline: boolean;
}

export interface PresenceFeed {
  /** Tells all instances; best effort, for the list is the truth. */
  announce(change: PresenceChange): void;
  /** `undefined`: some may have been missed, read the list again. */
  subscribe(accountId: string, listener: (change: PresenceChange | undefined) => void): () => void;
}

const topic = 'presence';

export function createPresenceFeed(broadcast: Broadcast): PresenceFeed {
  const listeners = new Map<string, Set<(change: PresenceChange | undefined) => void>>();
  broadcast.subscribe(topic, (message) => {
    if (listeners.size === 0) return;
    const change = JSON.parse(message) as PresenceChange;
    for (const listener of listeners.get(change.accountId) ?? []) listener(change);
  });
  broadcast.onGap(() => {
    for (const ofAccount of listeners.values()) for (const listener of ofAccount) listener(undefined);
  });
  return {
    announce(change) {
      void broadcast.publish(topic, JSON.stringify(change)).catch(() => {});
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
