import type { Logger } from 'pino';
import type { ConnectionTokens } from '../worlds/authenticate-token.ts';
import { affects } from '../credentials/changes/credential-event.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';

const retryMs = 500;

/**
 * Closes the sockets that a credential event leaves without their right: 4002 for a token that is gone, 4003
 * for an address that is no longer allowed, 4000 for an account that is blocked. While Postgres cannot tell,
 * it is asked again.
 */
export function watchRevocations(deps: {
  feed: CredentialFeed;
  tokens: ConnectionTokens;
  clients: ConnectedClients;
  log: Logger;
}): () => void {
  const { feed, tokens, clients, log } = deps;
  const waiting = new WeakSet<ClientSocket>();

  /** One timer per socket, however many events come while Postgres is away. */
  function retry(socket: ClientSocket): void {
    if (waiting.has(socket)) return;
    waiting.add(socket);
    setTimeout(() => {
      waiting.delete(socket);
      if (clients.byConn(socket.conn)) checkSafely(socket);
    }, retryMs).unref();
  }

  function checkSafely(socket: ClientSocket): void {
    check(socket).catch((error: unknown) => log.error({ err: error }, 'a socket could not be checked again'));
  }

  async function check(socket: ClientSocket): Promise<void> {
    const { principal, address, clientId } = socket.identity;
    const verdict = await tokens.recheck(principal, address);
    if ('ok' in verdict) {
      socket.identity.principal = verdict.ok;
      return;
    }
    log.info({ clientId, refused: verdict.refused }, 'the token of a connected module changed');
    if (verdict.refused === 'invalid') socket.close('tokenInvalid');
    else if (verdict.refused === 'address_not_allowed') socket.close('addressNotAllowed');
    else if (verdict.blocked) socket.close('temporary', 'The account is blocked');
    else retry(socket);
  }

  return feed.subscribe((event) => {
    if (!affects(event, 'token')) return;
    for (const socket of clients.byAccount(event.accountId)) {
      const isOfAnother = event.subject === 'token' && event.subjectId !== socket.identity.principal.tokenId;
      if (!isOfAnother) checkSafely(socket);
    }
  });
}
