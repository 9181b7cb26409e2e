import { roundsPerPing } from './client-socket.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';

/**
 * Pings a socket that was quiet for `pingEveryMs`, and terminates one that stayed quiet for twice as long. It counts its
 * own rounds instead of reading the clock, so that time in which the whole process stood still does not count. Time in
 * which the relay does not read the socket does not count either. A browser answers pings by itself, even from a tab in
 * the background. Returns a function that stops the heartbeat.
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
