import type { Logger } from 'pino';
import { clientNotFound } from '../calls/choose-client.ts';
import type { CredentialEvent, CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { isOver } from '../keys/authenticate.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import { createKeyLooks } from '../keys/look-at-keys.ts';
import { ProblemError } from '../problem.ts';
import { addTo, removeFrom } from './open-listeners.ts';
import type { OpenListener, OpenListeners } from './open-listeners.ts';
import { checkMayFollow, mayFollow } from './subscription.ts';

const expiryMs = 250;

export interface WatchKeysDeps {
  feed: Pick<CredentialFeed, 'subscribe'>;
  keys: KeysByHash;
  open: OpenListeners;
  log: Logger;
  now?: () => number;
}

/**
 * Ends the streams whose key was revoked, narrowed or blocked, or has expired, those of an old value that has ended, and those of worlds that were deleted. While
 * Postgres is away its streams deliver nothing, and the look at a key is repeated. Returns what ends the watch.
 */
export function watchKeys({ feed, keys, open, log, now = Date.now }: WatchKeysDeps): () => void {
  const looks = createKeyLooks<OpenListener>({
    keys,
    log,
    what: 'stream',
    found(principal, streams) {
      for (const stream of streams) {
        // Bound to another user it comes back as that one.
        if (!mayFollow(principal, stream.clientId) || isOtherUser(stream, principal)) stream.listener.end();
        else {
          stream.principal = principal;
          stream.listener.setPause(principal.pauses.standing(stream.clientId));
        }
      }
    },
    refused(_error, streams) {
      for (const { listener } of streams) listener.end();
    },
    // It may be a pause that cannot be read.
    away(streams) {
      for (const { listener } of streams) listener.hold();
    },
  });

  const stopHearing = feed.subscribe('key', (event) => {
    const streams = [...open.byAccount(event.accountId)].filter((stream) => concerns(event, stream));
    const byKey = Map.groupBy(streams, ({ principal }) => keys.hashOf(principal));
    for (const [hash, ofKey] of byKey) {
      if (isDeletion(event)) for (const { listener } of ofKey) listener.end();
      else void looks.look(hash, ofKey);
    }
  });
  const expiry = setInterval(() => {
    for (const { principal, listener } of open.all()) {
      if (isOver(principal, now())) listener.end();
    }
  }, expiryMs);

  return () => {
    stopHearing();
    clearInterval(expiry);
    looks.stop();
  };
}

const isOtherUser = ({ principal, clientId }: OpenListener, now: Principal): boolean =>
  principal.actingUserIds?.get(clientId) !== now.actingUserIds?.get(clientId);

/** A stream that is being opened: nothing can be ended yet when its key changes. */
export interface Opening {
  /**
   * The key as it is now, read again only where something has changed since the opening began. Rejects with the problem to
   * answer if it may not follow the world any more.
   */
  recheck(principal: Principal, clientId: string): Promise<Principal>;
  end(): void;
}

/** To be called in the turn in which the key was found, so that no event comes in between. Keeps events until `end`. */
export type WatchOpening = (principal: Principal) => Opening;

export function createWatchOpening({ feed, keys }: Pick<WatchKeysDeps, 'feed' | 'keys'>): WatchOpening {
  const ofAccounts = new Map<string, Set<CredentialEvent[]>>();
  feed.subscribe('key', (event) => {
    for (const heard of ofAccounts.get(event.accountId) ?? []) heard.push(event);
  });

  return ({ accountId }) => {
    const heard: CredentialEvent[] = [];
    const openedAt = performance.now();
    addTo(ofAccounts, accountId, heard);
    return {
      async recheck(principal, clientId) {
        let current = principal;
        // More may change while the key is read.
        while (heard.length > 0) {
          const events = heard.splice(0).filter((event) => concerns(event, { principal, clientId }));
          if (events.some(isDeletion)) throw clientNotFound(clientId);
          if (events.length > 0) current = await keys.find(keys.hashOf(principal));
        }
        if (current === principal) return current;
        checkMayFollow(current, clientId);
        // Paused and resumed meanwhile: what was found to send may be of that time.
        if (current.pauses.liftedAt(clientId) > openedAt) throw unavailable();
        return current;
      },
      end: () => removeFrom(ofAccounts, accountId, heard),
    };
  };
}

/** A world's other events say that it was paused, or resumed. */
const isDeletion = ({ subject, change }: CredentialEvent) => subject === 'client' && change === 'revoked';

const unavailable = () => new ProblemError('unavailable', 'The key was paused just now. Connect again.');

function concerns(
  { subject, subjectId }: CredentialEvent,
  { principal, clientId }: Pick<OpenListener, 'principal' | 'clientId'>,
): boolean {
  if (subject === 'key') return subjectId === principal.keyId;
  return subject !== 'client' || subjectId === clientId;
}
