import type { Logger } from 'pino';
import type { CredentialEvent } from './credential-event.ts';

/** Tells each event once, by whatever way and however often it comes. */
export interface EventListeners {
  subscribe(listener: (event: CredentialEvent) => void): () => void;
  hear(event: CredentialEvent): void;
  /** Forgets the events that were heard before this time of the monotonic clock: none of them may come again. */
  forget(before: number): void;
}

export function createEventListeners(log: Logger): EventListeners {
  const listeners = new Set<(event: CredentialEvent) => void>();
  const heardAt = new Map<string, number>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hear(event) {
      if (heardAt.has(event.id)) return;
      heardAt.set(event.id, performance.now());
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ err: error }, 'a listener of credential events failed');
        }
      }
    },
    forget(before) {
      for (const [id, at] of heardAt) if (at < before) heardAt.delete(id);
    },
  };
}
