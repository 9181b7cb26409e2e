import type { keyRequestEndpoints } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { Caller, HandlersOf } from '../../endpoint-handler.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import type { KeyBounds } from '../bounds.ts';
import { approveKeyRequest, denyKeyRequest, showKeyRequest } from './key-request-decision.ts';
import { exchangeCode, keyRequestLifetimeMs, pollKeyRequest, revokeCollected } from './key-requests.ts';
import type { Collected, Grant } from './key-requests.ts';
import { createKeepKeyRequest, createKeyRequest } from './new-key-request.ts';

export interface KeyRequestDeps extends ApiKeyDeps {
  bounds: KeyBounds;
  log: Logger;
}

export function keyRequestHandlers(deps: KeyRequestDeps): HandlersOf<typeof keyRequestEndpoints> {
  const keep = createKeepKeyRequest(deps);
  return {
    async createKeyRequest({ body }, caller) {
      const { code, expiresAt } = await createKeyRequest({ keep, now: deps.now }, body, caller);
      return {
        code,
        approvalUrl: `${caller.publicUrl}/approve/${code}`,
        expiresIn: keyRequestLifetimeMs / 1000,
        expiresAt: expiresAt.toISOString(),
      };
    },

    async pollKeyRequest({ params: { code }, headers }, caller) {
      const poll = { code, verifier: headers['x-poll-verifier'], sender: caller.sender };
      const { status, granted, collected } = await pollKeyRequest(deps, poll);
      return {
        status,
        ...(granted && describe(granted)),
        ...(collected && deliver(deps, caller, collected)),
      };
    },

    async exchangeKeyRequest({ body: { code }, headers }, caller) {
      const exchange = { code, verifier: headers['x-poll-verifier'], sender: caller.sender };
      return deliver(deps, caller, await exchangeCode(deps, exchange));
    },

    getKeyRequest: ({ params: { code } }, { session }) => showKeyRequest(deps, session.accountId, code),

    approveKeyRequest: ({ params: { code }, body: approval }, { session, sender }) =>
      approveKeyRequest(deps, { session, code, approval, sender }),

    denyKeyRequest: ({ params: { code } }, { session, sender }) =>
      denyKeyRequest(deps, { session, code, sender }),
  };
}

const describe = ({ scopes, clientIds, users }: Grant) => ({
  scopes,
  clientIds,
  ...(users.actingUserIds && users),
});

/** The only answer with the key. If it does not reach the caller, the key is revoked, because nobody can see it again. */
function deliver(deps: KeyRequestDeps, caller: Pick<Caller, 'onUndelivered'>, collected: Collected) {
  const { accountId, keyId, apiKey } = collected;
  caller.onUndelivered(() => {
    void revokeCollected(deps, { accountId, keyId }, 'its delivery failed').catch((error: unknown) =>
      deps.log.error({ err: error, keyId }, 'an undelivered key was not revoked'),
    );
  });
  return { apiKey, ...describe(collected) };
}
