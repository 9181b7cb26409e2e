import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Cluster } from '@tabletop-relay/cluster';
import { clientEndpoints } from '@tabletop-relay/contract';
import type { ClientRecord } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { ProblemError } from '../problem.ts';
import { isPaired } from '../worlds/find-clients.ts';
import type { ListKnownClients } from '../worlds/known-clients.ts';

export interface ClientDeps {
  db: Database;
  cluster: Pick<Cluster, 'directory'>;
  listReached: ListReached;
}

/** The worlds that a key reaches, as it may know of them. Counts as a call of the month. */
export type ListReached = (principal: Principal) => Promise<ClientRecord[]>;

export function createListReached({
  listKnownClients,
  limits: { monthly },
}: {
  listKnownClients: ListKnownClients;
  limits: Pick<CallLimits, 'monthly'>;
}): ListReached {
  return async function listReached(principal) {
    monthly.count(principal, await monthly.spend(principal));
    const all = await listKnownClients(principal.accountId).catch(unavailable);
    const reached = all.filter(({ clientId }) => !principal.clientIds || principal.clientIds.has(clientId));
    // A program of one player learns nothing of the game master's browser.
    return principal.actingUserIds
      ? reached.map((client) => ({ ...client, ipAddress: '', tokenName: '' }))
      : reached;
  };
}

/** The endpoints of this room: the list of worlds, and whether one is connected. */
export function serveClients({ db, cluster, listReached }: ClientDeps): ServedEndpoint[] {
  const handlers: HandlersOf<typeof clientEndpoints, Principal> = {
    async listClients(_input, { principal }) {
      const clients = await listReached(principal);
      return { clients, total: clients.length };
    },

    async isClientActive({ params: { clientId } }) {
      // Modules forget their pairing at this 404, so a failure of the relay must never answer it.
      if (!(await isPaired(db, clientId).catch(unavailable)))
        throw new ProblemError('not_found', 'No account has paired a world by this id.');
      const presence = (await cluster.directory.find([clientId]).catch(unavailable)).get(clientId);
      return { active: presence !== undefined && !presence.moving };
    },
  };
  return serve(clientEndpoints, handlers);
}

function unavailable(cause: unknown): never {
  const detail =
    cause instanceof ClusterUnavailable
      ? 'The relay cannot tell which worlds are online at the moment.'
      : 'The list of worlds cannot be read at the moment.';
  throw new ProblemError('unavailable', detail, { cause });
}
