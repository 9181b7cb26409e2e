import type { ClientSocket } from '../client-socket.ts';

/**
 * Serves what modules ask of other worlds. Neither function throws. Declared here because the sockets know nothing of calls:
 * `calls/remote/remote-requests.ts` does it.
 */
export interface ServeRemoteRequests {
  receive(socket: ClientSocket, frame: Record<string, unknown>, bytes: number): void;
  /** For a frame above `maxBytes`, of which only the head was read. */
  refuseLarge(socket: ClientSocket, requestId: string): void;
  maxBytes: number;
}
