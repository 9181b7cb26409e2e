import type { ClientSocket } from './client-socket.ts';

/** The sockets of this instance. They are found by client, by connection (`conn`) and by account. */
export interface ConnectedClients {
  readonly size: number;
  add(socket: ClientSocket): void;
  /** Removes this socket only. A newer socket of the same client stays. */
  remove(socket: ClientSocket): void;
  byClient(clientId: string): ClientSocket | undefined;
  byConn(conn: string): ClientSocket | undefined;
  byAccount(accountId: string): Iterable<ClientSocket>;
  all(): IterableIterator<ClientSocket>;
}

export function createConnectedClients(): ConnectedClients {
  const byClient = new Map<string, ClientSocket>();
  const byConn = new Map<string, ClientSocket>();
  const byAccount = new Map<string, Set<ClientSocket>>();
  return {
    get size() {
      return byConn.size;
    },
    add(socket) {
      byClient.set(socket.identity.clientId, socket);
      byConn.set(socket.conn, socket);
      const ofAccount = byAccount.get(socket.identity.accountId) ?? new Set();
      byAccount.set(socket.identity.accountId, ofAccount.add(socket));
    },
    remove(socket) {
      byConn.delete(socket.conn);
      if (byClient.get(socket.identity.clientId) === socket) byClient.delete(socket.identity.clientId);
      const ofAccount = byAccount.get(socket.identity.accountId);
      ofAccount?.delete(socket);
      if (ofAccount?.size === 0) byAccount.delete(socket.identity.accountId);
    },
    byClient: (clientId) => byClient.get(clientId),
    byConn: (conn) => byConn.get(conn),
    byAccount: (accountId) => byAccount.get(accountId) ?? [],
    all: () => byConn.values(),
  };
}
