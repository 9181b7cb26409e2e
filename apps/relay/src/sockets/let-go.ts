import type { Cluster } from '@tabletop-relay/cluster';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { comesBackWithinMs } from './admission/admission.ts';
import type { ConnectionLog } from './admission/connection-log.ts';
import type { ClientSocket } from './client-socket.ts';

export interface LetGoDeps {
  cluster: Cluster;
  connectionLog: Pick<ConnectionLog, 'left'>;
  config: { drainSpreadMs: number; drainGraceMs: number };
  log: Logger;
}

/** The longest that a call may run: after it nothing is in flight on a socket. */
export const callsEndWithinMs = 20_000;
const soonestReturnMs = 1_000;
/**
 * The module hears that its next socket is let in a moment after this instance hears of the claim. Until then it counts
 * on this socket.
 */
const overlapMs = 2_000;

/**
 * Ends a socket of a draining instance. Its module is told when to open its next socket, at random so that not all come
 * at once, and this instance serves it until it has. A module that does not come in time is closed all the same, at its
 * own time. Calls in flight end on the old socket.
 */
export async function letGo(socket: ClientSocket, deps: LetGoDeps): Promise<void> {
  const { cluster, connectionLog, config, log } = deps;
  const { conn } = socket;
  const { clientId } = socket.identity;
  const { drainSpreadMs, drainGraceMs } = config;
  const afterMs = soonestReturnMs + Math.round(Math.random() * drainSpreadMs);
  const servedMs = drainGraceMs > 0 ? afterMs + drainGraceMs : 0;
  const handover = randomBytes(18).toString('base64url');
  const end = socket.startLeaving({ servedMs, returnsWithinMs: servedMs + comesBackWithinMs });
  if (servedMs > 0) await cluster.directory.offer(clientId, conn, handover);
  socket.send({ type: 'reconnect', afterMs, ...(servedMs > 0 && { handover }) });

  const how = await end;
  if (how === 'closed') return;
  if (how === 'succeeded') {
    connectionLog.left(socket.identity, 'handed_over', null);
    await new Promise((resolve) => setTimeout(resolve, overlapMs));
  } else {
    socket.isMoving = true;
    await cluster.directory
      .release(clientId, conn, Math.max(0, afterMs - servedMs) + comesBackWithinMs)
      .catch((error: unknown) => log.warn({ err: error }, 'a claim was not released; its lease ends it'));
  }
  await Promise.all([socket.calls.whenIdle(callsEndWithinMs), socket.asked.whenIdle(callsEndWithinMs)]);
  socket.close('goingAway');
}
