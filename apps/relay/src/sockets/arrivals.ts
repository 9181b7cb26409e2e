import type { ClientSocket } from './client-socket.ts';

/**
 * Sockets that are being let in. From its claim on the cluster sends a client's commands here, some milliseconds before
 * its socket may be called.
 */
export interface Arrivals {
  /** To be called before the claim. */
  expect(conn: string): void;
  /** To be called when the socket may be called, or without it when it was refused. */
  settle(conn: string, socket?: ClientSocket): void;
  /** Whether the conn is expected and not settled yet. */
  has(conn: string): boolean;
  /** Resolves when the conn is settled. Undefined when it is not expected, or when too many wait for it. */
  waitFor(conn: string): Promise<ClientSocket | undefined> | undefined;
}

interface Arrival {
  settled: Promise<ClientSocket | undefined>;
  settle: (socket?: ClientSocket) => void;
  waiting: number;
}

export function createArrivals(maxWaitingPerSocket: number): Arrivals {
  const arrivals = new Map<string, Arrival>();
  return {
    expect(conn) {
      const { promise: settled, resolve: settle } = Promise.withResolvers<ClientSocket | undefined>();
      arrivals.set(conn, { settled, settle, waiting: 0 });
    },
    settle(conn, socket) {
      arrivals.get(conn)?.settle(socket);
      arrivals.delete(conn);
    },
    has: (conn) => arrivals.has(conn),
    waitFor(conn) {
      const arrival = arrivals.get(conn);
      if (!arrival || arrival.waiting >= maxWaitingPerSocket) return undefined;
      arrival.waiting++;
      return arrival.settled;
    },
  };
}
