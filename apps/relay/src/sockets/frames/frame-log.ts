import type { Logger } from 'pino';
import type { ClientSocket } from '../client-socket.ts';
import { createSocketRate } from './socket-rate.ts';

/**
 * Logs a line about a frame. The lines per minute and socket are limited, because otherwise a module could fill the log.
 * The next line of the socket says how many were left out. The metrics count every frame.
 */
export type LogFrame = (socket: ClientSocket, fields: object, message: string) => void;

export function createFrameLog(log: Logger, linesPerMinute: number): LogFrame {
  const rate = createSocketRate({ max: linesPerMinute, windowMs: 60_000 });
  const leftOut = new WeakMap<ClientSocket, number>();

  return function logFrame(socket, fields, message) {
    const { refusedInARow } = rate.spend(socket);
    if (refusedInARow > 0) {
      leftOut.set(socket, refusedInARow);
      return;
    }
    log.info({ clientId: socket.identity.clientId, ...fields, leftOut: leftOut.get(socket) }, message);
    leftOut.delete(socket);
  };
}
