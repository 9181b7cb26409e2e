import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';

/** A socket is looked at so often between two pings. */
export const roundsPerPing = 40;

/**
 * Pings a socket that was quiet for `pingEveryMs`, and gives up the one that stayed quiet for twice as long.
 * Counted in rounds of this process and not by the clock: after the process itself stood still, no client is
 * blamed for it, and none for the time in which we do not read it. A browser answers pings by itself, even from a tab in the background. Returns the way to stop.
 */
export function startHeartbeat(
  clients: ConnectedClients,
  pingEveryMs: number,
  onSilent: (socket: ClientSocket) => void,
): () => void {
  const timer = setInterval(() => {
    for (const socket of clients.all()) {
      if (socket.inflow.isHeld) {
        socket.quietRounds = 0;
        continue;
      }
      const rounds = ++socket.quietRounds;
      if (rounds === roundsPerPing) socket.ping();
      else if (rounds >= 2 * roundsPerPing) onSilent(socket);
    }
  }, pingEveryMs / roundsPerPing).unref();
  return () => clearInterval(timer);
}
