import { errors } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { ConnectionTokens } from '../worlds/authenticate-token.ts';
import type { CredentialEvent, CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { tellPauses } from './pauses/tell-pauses.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';

const retryMs = 500;
/** A right that was taken away ends within a second, also where Postgres does not answer. */
const answerMs = 500;

/**
 * Closes the sockets that may not stay open after a credential event. The close code is 1000 if the browser gave its token
 * back, 4002 if the token was revoked, 4003 if the address is no longer allowed, and 4000 if the account is blocked. Where the
 * socket may stay, its requests to other worlds are checked again. While Postgres is unavailable, a socket whose right the event
 * takes away is closed with 4000, as its module may come back, and the check of all others is repeated.
 */
export function watchRevocations(deps: {
  feed: Pick<CredentialFeed, 'subscribe'>;
  tokens: ConnectionTokens;
  clients: Pick<ConnectedClients, 'byAccount' | 'byConn'>;
  log: Logger;
}): () => void {
  const { feed, tokens, clients, log } = deps;
  const waiting = new WeakSet<ClientSocket>();

  /** At most one timer per socket, even if many events come while Postgres is unavailable. */
  function retry(socket: ClientSocket): void {
    if (waiting.has(socket)) return;
    waiting.add(socket);
    setTimeout(() => {
      waiting.delete(socket);
      if (clients.byConn(socket.conn)) checkSafely(socket);
    }, retryMs).unref();
  }

  function checkSafely(socket: ClientSocket, endsUnread = false): void {
    const end = () => socket.close('temporary');
    const late = endsUnread ? setTimeout(end, answerMs).unref() : undefined;
    check(socket, endsUnread ? end : () => retry(socket))
      .catch((error: unknown) => log.error({ err: error }, 'a socket could not be checked again'))
      .finally(() => clearTimeout(late));
  }

  async function check(socket: ClientSocket, onUnread: () => void): Promise<void> {
    const { principal, address, clientId } = socket.identity;
    const verdict = await tokens.recheck(principal, address);
    if ('ok' in verdict) {
      socket.identity.principal = verdict.ok;
      socket.asked.recheckAll(verdict.ok);
      if (!socket.isStandby) tellPauses(socket, principal.pauses.ofWorld(clientId));
      return;
    }
    log.info({ clientId, refused: verdict.refused }, 'the token of a connected module changed');
    if (verdict.refused === 'invalid') socket.close('tokenInvalid');
    else if (verdict.refused === 'address_not_allowed') socket.close('addressNotAllowed');
    else if (verdict.blocked) socket.close('temporary', errors[verdict.blocked].title);
    else onUnread();
  }

  return feed.subscribe('token', (event) => {
    for (const socket of clients.byAccount(event.accountId)) {
      const isOfAnother = event.subject === 'token' && event.subjectId !== socket.identity.principal.tokenId;
      if (isOfAnother) continue;
      if (event.change === 'given_back') socket.close('normal');
      else checkSafely(socket, takesAway(event, socket));
    }
  });
}

/** Whether the event itself says that the socket's token is gone, or good for nothing. */
function takesAway({ subject, subjectId, change }: CredentialEvent, { identity }: ClientSocket): boolean {
  if (change !== 'revoked' && change !== 'blocked') return false;
  return subject !== 'client' || subjectId === identity.clientId;
}
