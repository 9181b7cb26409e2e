import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { AccountLimits } from '../../limits/limits.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { ListKnownClients } from '../../worlds/known-clients.ts';
import { createSocketRate } from './socket-rate.ts';

export interface AnswerKnownClientsDeps {
  knownClients: ListKnownClients;
  limits: Pick<AccountLimits, 'knownClients'>;
  log: Logger;
}

/**
 * Answers `get-known-clients` with the socket's own world and those that its token may reach: a page learns of no other.
 * An answer costs a query, so each socket has one at a time and a rate limit.
 */
export function createAnswerKnownClients({ knownClients, limits, log }: AnswerKnownClientsDeps) {
  const asking = new WeakSet<ClientSocket>();
  const rate = createSocketRate(limits.knownClients);

  /** Calls `refuse` with the reason if there is no list. Never rejects. */
  return async function answerKnownClients(
    socket: ClientSocket,
    requestId: string,
    refuse: (code: FrameErrorCode) => void,
  ): Promise<void> {
    if (asking.has(socket)) return refuse('overloaded');
    if (rate.spend(socket).refusedInARow > 0) return refuse('rate_limited');
    asking.add(socket);
    try {
      const { accountId, clientId, principal } = socket.identity;
      const clients = await knownClients(accountId, [clientId, ...principal.allowedTargetClients]);
      socket.send({
        type: 'known-clients-result',
        requestId,
        clients: clients.map(({ clientId, worldTitle, customName, systemTitle, systemId, isOnline }) => ({
          clientId,
          worldTitle,
          ...(customName ? { customName } : {}),
          systemTitle,
          systemId,
          isOnline,
        })),
        tokenScopes: [...principal.scopes],
        tokenAllowedTargets: [...principal.allowedTargetClients],
      });
    } catch (error) {
      log.warn({ err: error }, 'known clients could not be listed');
      refuse('unavailable');
    } finally {
      asking.delete(socket);
    }
  };
}
