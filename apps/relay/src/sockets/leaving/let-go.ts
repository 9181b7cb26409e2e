import type { Cluster } from '@tabletop-relay/cluster';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { comesBackWithinMs } from '../admission/admission.ts';
import type { ConnectionLog } from '../admission/connection-log.ts';
import type { ClientSocket } from '../client-socket.ts';

export interface LetGoDeps {
  cluster: Cluster;
  connectionLog: Pick<ConnectionLog, 'left'>;
  config: { drainSpreadMs: number; drainGraceMs: number };
  log: Logger;
}

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
  const { cluster, config, log } = deps;
  const { drainSpreadMs, drainGraceMs } = config;
  const afterMs = timeWithin(drainSpreadMs);
  const servedMs = drainGraceMs > 0 ? afterMs + drainGraceMs : 0;
  const how = await tellToLeave(socket, { afterMs, servedMs }, deps);
  if (how === 'closed') return;
  if (how === 'succeeded') return await closeSucceeded(socket, deps);
  socket.isMoving = true;
  await cluster.directory
    .release(socket.identity.clientId, socket.conn, Math.max(0, afterMs - servedMs) + comesBackWithinMs)
    .catch((error: unknown) => log.warn({ err: error }, 'a claim was not released; its lease ends it'));
  await closeIdle(socket);
}

/** From then on no socket of a draining instance takes a call. */
export const longestServedMs = ({ drainSpreadMs, drainGraceMs }: LetGoDeps['config']): number =>
  soonestReturnMs + drainSpreadMs + drainGraceMs;

/** Some time within the spread, so that not all modules come at once. */
export const timeWithin = (spreadMs: number): number =>
  soonestReturnMs + Math.round(Math.random() * spreadMs);

/** Tells a module to open its next socket after `afterMs`; resolves as `startLeaving` does. */
export async function tellToLeave(
  socket: ClientSocket,
  { afterMs, servedMs }: { afterMs: number; servedMs: number },
  { cluster }: Pick<LetGoDeps, 'cluster'>,
): ReturnType<ClientSocket['startLeaving']> {
  const handover = randomBytes(18).toString('base64url');
  const end = socket.startLeaving({ servedMs, returnsWithinMs: servedMs + comesBackWithinMs });
  if (servedMs > 0) await cluster.directory.offer(socket.identity.clientId, socket.conn, handover);
  socket.send({ type: 'reconnect', afterMs, ...(servedMs > 0 && { handover }) });
  return await end;
}

/** Closes a socket whose client has its next one. */
export async function closeSucceeded(
  socket: ClientSocket,
  { connectionLog }: Pick<LetGoDeps, 'connectionLog'>,
): Promise<void> {
  connectionLog.left(socket, 'handed_over', null);
  await new Promise((resolve) => setTimeout(resolve, overlapMs));
  await closeIdle(socket);
}

/** Each call, and each request to another world, has a time-out of its own. */
async function closeIdle(socket: ClientSocket): Promise<void> {
  await Promise.all([socket.calls.whenIdle(), socket.asked.whenIdle()]);
  socket.close('goingAway');
}
