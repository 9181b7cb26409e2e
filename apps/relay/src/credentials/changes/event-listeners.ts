import type { Logger } from 'pino';
import type { CredentialEvent } from './credential-event.ts';

/** Tells listeners of each event once, although it may come in two ways and several times. */
export interface EventListeners {
  subscribe(listener: (event: CredentialEvent) => void): () => void;
  /** False for an event that came before. */
  hear(event: CredentialEvent): boolean;
  /** Forgets the events that came before this time of the monotonic clock. The caller knows that none of them comes again. */
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
      if (heardAt.has(event.id)) return false;
      heardAt.set(event.id, performance.now());
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ err: error }, 'a listener of credential events failed');
        }
      }
      return true;
    },
    forget(before) {
      for (const [id, at] of heardAt) if (at < before) heardAt.delete(id);
    },
  };
}
