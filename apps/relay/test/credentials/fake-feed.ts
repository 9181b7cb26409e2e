import { createEventListeners } from '../../src/credentials/changes/credential-feed.ts';
import type { CredentialEvent } from '../../src/credentials/changes/credential-feed.ts';

/** A feed that hears what a test says, by the listeners of the real one. */
export function createFakeFeed() {
  const { subscribe, hear } = createEventListeners({
    error({ err }: { err: Error }) {
      throw err;
    },
  });
  let events = 0;
  return {
    feed: { isFresh: () => true, subscribe },
    say: (event: Omit<CredentialEvent, 'id'>): void => void hear({ id: String(++events), ...event }),
  };
}
