import type { ClientSocket } from '../client-socket.ts';

/** Serves what modules ask of other worlds. Neither function throws. */
export interface ServeRemoteRequests {
  receive(socket: ClientSocket, frame: Record<string, unknown>, bytes: number): void;
  /** For a frame above `maxBytes`, of which only the head was read. */
  refuseLarge(socket: ClientSocket, requestId: string): void;
  maxBytes: number;
}
