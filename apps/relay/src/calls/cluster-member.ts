import type { Instance } from '@tabletop-relay/cluster';
import type { Router } from './router.ts';
import type { ConnectedClients } from '../sockets/connected-clients.ts';

/** How long a socket may take to answer a ping when a newcomer wants its client. */
const probeMs = 2_000;

/** What the cluster asks of this instance, answered from its sockets. */
export function clusterMember(clients: ConnectedClients, router: Router): Instance {
  return {
    deliver: router.deliver,
    probe: async (conn) => (await clients.byConn(conn)?.probe(probeMs)) ?? false,
    evict(conn, why) {
      const socket = clients.byConn(conn);
      if (why === 'silent') socket?.terminate();
      else socket?.supersede();
    },
    *claims() {
      for (const { conn, epoch, meta, identity } of clients.all()) {
        yield { conn, epoch, meta, clientId: identity.clientId, accountId: identity.accountId };
      }
    },
  };
}
