import type { worldEndpoints } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { closeWithSession } from '../accounts/sessions/close-with-session.ts';
import { findSessionEnd } from '../accounts/sessions/find-session.ts';
import type { CallNews } from '../call-log/call-news.ts';
import type { CredentialEvent, CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { HandlersOf, SessionPrincipal, Stream } from '../endpoint-handler.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import { ProblemError } from '../problem.ts';
import type { PresenceChange, PresenceFeed } from './presence.ts';

export interface AccountEventDeps {
  feed: Pick<CredentialFeed, 'subscribe'>;
  presence: Pick<PresenceFeed, 'subscribe'>;
  callNews: Pick<CallNews, 'subscribe'>;
  db: Database;
  now(): number;
}

type Followed = (typeof worldEndpoints)['followKnownClients']['answer'];

const maxStreamsPerAccount = 20;

/** The account's worlds coming and going and its calls, until the session ends. */
export function accountEventHandlers({
  feed,
  presence,
  callNews,
  db,
  now,
}: AccountEventDeps): HandlersOf<Pick<typeof worldEndpoints, 'followKnownClients'>> {
  const open = new Map<string, Map<Stream<Followed>, SessionPrincipal>>();
  feed.subscribe('any', (event) => {
    for (const [stream, session] of open.get(event.accountId) ?? []) {
      if (endsSession(event, session)) stream.close();
      else if (event.change === 'changed') stream.send('changed', {});
    }
  });

  return {
    followKnownClients(_input, { session }, stream) {
      const { accountId } = session;
      const streams = open.get(accountId) ?? new Map<Stream<Followed>, SessionPrincipal>();
      if (streams.size >= maxStreamsPerAccount) {
        throw new ProblemError('rate_limited', `${streams.size} event streams of your account are open.`, {
          headers: limitHeaders(maxStreamsPerAccount, 1),
        });
      }
      const stopPresence = presence.subscribe(accountId, (change) => sendChange(stream, change));
      const stopCalls = callNews.subscribe(accountId, () => stream.send('calls', {}));
      open.set(accountId, streams.set(stream, session));
      stream.onClose(() => {
        stopPresence();
        stopCalls();
        streams.delete(stream);
        if (streams.size === 0 && open.get(accountId) === streams) open.delete(accountId);
      });
      stream.send('connected', {});
      closeWithSession(stream, { findEnd: () => findSessionEnd(db, session.sessionId), now });
    },
  };
}

function sendChange(stream: Stream<Followed>, change: PresenceChange | undefined): void {
  if (!change) stream.send('gap', {});
  else stream.send(change.isOnline ? 'client-online' : 'client-offline', { clientId: change.clientId });
}

/** True if the stream must be opened again with a valid session: its session ended, or the whole account changed. */
function endsSession(event: CredentialEvent, session: SessionPrincipal): boolean {
  if (event.change === 'sessions_ended') return event.subjectId !== session.sessionId;
  return event.subject === 'account' || event.subjectId === session.sessionId;
}
