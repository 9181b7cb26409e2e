import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests of one connection may wait for their answers. Programs that send ahead send a handful. */
export const mostOwed = 16;

/** A request and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  owed: number;
  /** The request that came last, as long as its answer is owed or its body is not whole. */
  last?: Exchange | undefined;
  /** To be called when no answer is owed any more. */
  atNone: (() => void)[];
}

/**
 * Counts the requests of each connection that are not answered yet. Node makes a request of all that it has read at
 * once, and 64 KiB are thousands, so a connection with more than `mostOwed` is closed.
 */
export interface OwedAnswers {
  /**
   * Counts a request, to be called before it is handled. False: the connection is closed, and the request must not be
   * handled. Node tells of the requests of a chunk also where the connection was closed at one before them.
   */
  take(request: IncomingMessage, response: ServerResponse): boolean;
  /** How many answers a connection waits for. */
  of(socket: Socket): number;
  /** The request whose body is not whole yet, answered or not. */
  unfinished(socket: Socket): Exchange | undefined;
  /** Calls `then` when no answer is owed: at once, or behind the last one. */
  whenNone(socket: Socket, then: () => void): void;
}

export function createOwedAnswers(): OwedAnswers {
  const connections = new WeakMap<Socket, Connection>();

  function answered(connection: Connection, { request }: Exchange): void {
    connection.owed--;
    if (connection.last?.request === request && request.complete) connection.last = undefined;
    if (connection.owed > 0) return;
    for (const then of connection.atNone.splice(0)) then();
  }

  return {
    take(request, response) {
      const { socket } = request;
      if (socket.destroyed) return false;
      const connection = connections.get(socket) ?? { owed: 0, atNone: [] };
      connections.set(socket, connection);
      if (connection.owed === mostOwed) {
        socket.destroy();
        return false;
      }
      connection.owed++;
      const exchange = { request, response };
      connection.last = exchange;
      response.once('finish', () => answered(connection, exchange));
      return true;
    },
    of: (socket) => connections.get(socket)?.owed ?? 0,
    unfinished(socket) {
      const last = connections.get(socket)?.last;
      return last?.request.complete ? undefined : last;
    },
    whenNone(socket, then) {
      const connection = connections.get(socket);
      if (connection && connection.owed > 0) connection.atNone.push(then);
      else then();
    },
  };
}
