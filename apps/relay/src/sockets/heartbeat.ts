import { roundsPerPing } from './client-socket.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';

/** How long an unanswered ping is waited for where another browser waits to serve. */
const unansweredMs = 2_000;

/**
 * Pings a socket that was quiet for `pingEveryMs`, and terminates one that stayed quiet for twice as long. It counts its
 * own rounds instead of reading the clock, so that time in which the whole process stood still does not count. Time in
 * which the relay does not read the socket does not count either. A browser answers pings by itself, even from a tab in
 * the background. Returns a function that stops the heartbeat.
 */
export function startHeartbeat(
  clients: Pick<ConnectedClients, 'all'>,
  pingEveryMs: number,
  tell: {
    /** Nothing came for 2 s after the ping. */
    onUnanswered: (socket: ClientSocket) => void;
    onSilent: (socket: ClientSocket) => void;
  },
): () => void {
  const unansweredRound = roundsPerPing + Math.ceil((unansweredMs * roundsPerPing) / pingEveryMs);
  const timer = setInterval(() => {
    for (const socket of clients.all()) {
      if (socket.inflow.isStopped) {
        socket.quietRounds = 0;
        continue;
      }
      const rounds = ++socket.quietRounds;
      if (rounds === roundsPerPing) socket.ping();
      else if (rounds >= 2 * roundsPerPing) tell.onSilent(socket);
      else if (rounds === unansweredRound) tell.onUnanswered(socket);
    }
  }, pingEveryMs / roundsPerPing).unref();
  return () => clearInterval(timer);
}
