import type { Instance } from '@tabletop-relay/cluster';
import type { Router } from './router.ts';
import type { Arrivals } from '../sockets/arrivals.ts';
import type { ConnectedClients } from '../sockets/connected-clients.ts';
import { closeSucceeded } from '../sockets/leaving/let-go.ts';
import type { LetGoDeps } from '../sockets/leaving/let-go.ts';

/** How long a socket may take to answer a ping when a newcomer wants its client, or its place among those that wait. */
const probeMs = 2_000;

export interface ClusterMemberDeps extends Pick<LetGoDeps, 'connectionLog'> {
  clients: Pick<ConnectedClients, 'byConn' | 'all'>;
  /** The sockets that wait, and how they are told that their clients seem free. */
  standbys: { sockets: Pick<ConnectedClients, 'byConn'>; promote: Instance['promote'] };
  arrivals: Pick<Arrivals, 'has'>;
  router: Pick<Router, 'deliver'>;
}

/** The `Instance` that the cluster is started with: it hands calls of other instances to the router, and answers from our sockets. */
export function clusterMember(deps: ClusterMemberDeps): Instance {
  const { clients, standbys, arrivals, router } = deps;
  const byConn = (conn: string) => clients.byConn(conn) ?? standbys.sockets.byConn(conn);
  return {
    deliver: router.deliver,
    isArriving: (conn) => arrivals.has(conn),
    probe: async (conn) => (await byConn(conn)?.probe(probeMs)) ?? false,
    evict(conn, why) {
      const socket = byConn(conn);
      if (why === 'silent') socket?.giveUp();
      else if (why === 'foreign') socket?.close('temporary', 'This instance cannot serve; connect again');
      else if (why === 'superseded') socket?.supersede();
      // A module goes on trying with its handover when it comes late, also where it counts as one that stays.
      else if (socket && !socket.handOver()) void closeSucceeded(socket, deps);
    },
    promote: standbys.promote,
    *claims() {
      for (const { conn, epoch, meta, identity } of clients.all()) {
        yield { conn, epoch, meta, clientId: identity.clientId, accountId: identity.accountId };
      }
    },
  };
}
