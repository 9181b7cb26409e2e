import type { WorldPause } from '@tabletop-relay/contract';
import { isDeepStrictEqual } from 'node:util';
import { pausedProblem } from '../../pauses/pauses.ts';
import type { ClientSocket } from '../client-socket.ts';

/** Tells a module of pauses of its world that came or went. What waits to be sent to one that is paused now is refused. */
export function tellPauses(socket: ClientSocket, before: readonly WorldPause[]): void {
  const { clientId, principal } = socket.identity;
  const pauses = principal.pauses.ofWorld(clientId);
  if (isDeepStrictEqual(pauses, before)) return;
  socket.send({ type: 'pauses', pauses });
  const problem = pausedProblem(principal, clientId);
  if (problem) socket.calls.refuseWaiting(problem);
}
