import type { pairRequestEndpoints } from '@tabletop-relay/contract';
import { isDatabaseAway } from '@tabletop-relay/database';
import type { HandlersOf } from '../../../endpoint-handler.ts';
import { approvePairRequest, denyPairRequest, showPairRequest } from './decision.ts';
import {
  createKeepPairRequest,
  createPairRequest,
  pairRequestLifetimeMs,
  pollPairRequest,
  takeBackCode,
} from './pair-requests.ts';
import type { PairRequestDeps } from './pair-requests.ts';

export function pairRequestHandlers(deps: PairRequestDeps): HandlersOf<typeof pairRequestEndpoints> {
  const keep = createKeepPairRequest(deps);
  return {
    async createPairRequest({ body }, caller) {
      const { code, expiresAt } = await createPairRequest({ keep, now: deps.now }, body, caller);
      return {
        code,
        pairUrl: `${caller.publicUrl}/pair/${code}`,
        expiresIn: pairRequestLifetimeMs / 1000,
        expiresAt: expiresAt.toISOString(),
      };
    },

    async pollPairRequest({ params: { code } }, caller) {
      try {
        const { answer, handedOut } = await pollPairRequest(deps, code);
        if (handedOut) {
          caller.onUndelivered(() => {
            takeBackCode(deps, handedOut).catch((error: unknown) =>
              deps.log.error({ err: error }, 'an undelivered pairing code was not taken back'),
            );
          });
        }
        return answer;
      } catch (error) {
        // Any refusal ends the pairing at the module, and Postgres may be back at the next poll.
        if (isDatabaseAway(error)) return { status: 'pending' };
        throw error;
      }
    },

    getPairRequest: ({ params: { code } }, { session }) => showPairRequest(deps, session.accountId, code),

    async approvePairRequest({ params: { code }, body: approval }, { session, sender }) {
      await approvePairRequest(deps, { session, code, approval, sender });
      return { status: 'approved' };
    },

    async denyPairRequest({ params: { code } }, { session, sender }) {
      await denyPairRequest(deps, { session, code, sender });
      return { status: 'denied' };
    },
  };
}
