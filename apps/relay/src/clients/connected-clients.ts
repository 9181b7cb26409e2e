import type { ClientSocket } from './client-socket.ts';

/** The sockets of this instance, by the client they serve and by their connection. */
export interface ConnectedClients {
  readonly size: number;
  add(socket: ClientSocket): void;
  /** Leaves a newer socket of the same client in place. */
  remove(socket: ClientSocket): void;
  byClient(clientId: string): ClientSocket | undefined;
  byConn(conn: string): ClientSocket | undefined;
  all(): IterableIterator<ClientSocket>;
}

export function createConnectedClients(): ConnectedClients {
  const byClient = new Map<string, ClientSocket>();
  const byConn = new Map<string, ClientSocket>();
  return {
    get size() {
      return byConn.size;
    },
    add(socket) {
      byClient.set(socket.identity.clientId, socket);
      byConn.set(socket.conn, socket);
    },
    remove(socket) {
      byConn.delete(socket.conn);
      if (byClient.get(socket.identity.clientId) === socket) byClient.delete(socket.identity.clientId);
    },
    byClient: (clientId) => byClient.get(clientId),
    byConn: (conn) => byConn.get(conn),
    all: () => byConn.values(),
  };
}
