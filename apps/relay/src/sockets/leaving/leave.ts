import type { Cluster, Presence } from '@tabletop-relay/cluster';
import { createSlices } from '@tabletop-relay/kit';
import type { Logger } from 'pino';
import { readTogether } from '../../read-together.ts';
import type { RelayMetrics } from '../../metrics.ts';
import type { LastSeen } from '../../worlds/last-seen.ts';
import type { PresenceFeed } from '../../worlds/presence.ts';
import type { ConnectionLog } from '../admission/connection-log.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { ConnectedClients } from '../connected-clients.ts';

export interface LeavingDeps {
  cluster: Cluster;
  clients: ConnectedClients;
  connectionLog: Pick<ConnectionLog, 'left'>;
  lastSeen: LastSeen;
  presence: PresenceFeed;
  log: Logger;
  metrics: RelayMetrics;
}

/** What follows the end of a socket. */
export interface Leaving {
  /** Its calls fail at once, and the client is free for another. The rest is done in slices, for many may end together. */
  leave(socket: ClientSocket, code: number): void;
  /** Sockets whose end is neither logged nor told yet. */
  readonly waiting: number;
}

export function createLeaving(deps: LeavingDeps): Leaving {
  const { clients, connectionLog, metrics, log } = deps;
  const slices = createSlices();
  const findTogether = readTogether((clientIds) => deps.cluster.directory.find(clientIds));
  const findStandbys = readTogether((clientIds) => deps.cluster.standbys.find(clientIds));
  const context = {
    ...deps,
    find: (clientId: string) => findTogether(clientId).catch(() => undefined),
    hasStandby: async (clientId: string) =>
      (await findStandbys(clientId).catch(() => undefined)) !== undefined,
  };
  return {
    leave(socket, code) {
      clients.remove(socket);
      metrics.connectedClients.set(clients.size);
      socket.endCalls();
      slices.add(() => {
        const { isSucceeded, identity } = socket;
        log.info({ clientId: identity.clientId, closeCode: code, isSucceeded }, 'module disconnected');
        // Where the client's next socket has succeeded this one, the end was recorded at that moment.
        if (!isSucceeded) connectionLog.left(socket, 'disconnected', code);
        void tellAway(socket, context);
      });
    },
    get waiting() {
      return slices.waiting;
    },
  };
}

interface LeavingContext extends LeavingDeps {
  /** The claim of a client, undefined also where Redis does not say. */
  find(clientId: string): Promise<Presence | undefined>;
  /** Whether another browser waits for the client; false also where Redis does not say. */
  hasStandby(clientId: string): Promise<boolean>;
}

/** A standby serves long before; after so long none does, and the world is told to be offline. */
const standbyMs = 3_000;

async function tellAway(socket: ClientSocket, context: LeavingContext): Promise<void> {
  const { cluster, lastSeen, presence, log } = context;
  const { accountId, clientId } = socket.identity;
  const isGone = !socket.isSucceeded && !socket.isMoving && socket.returnsWithinMs === 0;
  const isSucceedable = isGone && (await context.hasStandby(clientId));
  // Before the claim is released, because only the owner of a client may append its events.
  await cluster.streams.close(socket.conn, { offline: isGone && !isSucceedable });
  if (isSucceedable) {
    await cluster.standbys.vacate(clientId, socket.conn, { isWhole: !socket.isSilent });
    await new Promise((resolve) => setTimeout(resolve, standbyMs));
    if (await isOnlineAgain(clientId, context)) return;
  }
  // Its next socket serves the world already, unless it has failed meanwhile.
  if (socket.isSucceeded && (await isOnlineAgain(clientId, context))) return;
  const released = socket.isMoving
    ? undefined
    : cluster.directory.release(clientId, socket.conn, socket.returnsWithinMs).catch((error: unknown) => {
        log.warn({ err: error, clientId }, 'a claim was not released; its lease ends it');
      });
  // The news waits for both, so that who then reads the list finds the world offline, and when it was last seen.
  await Promise.all([released, lastSeen.disconnected(socket.identity)]);
  if (await isOnlineAgain(clientId, context)) return;
  presence.announce({ accountId, clientId, isOnline: false });
}

/** A world that came back before its going was told has been announced by its new socket, here or elsewhere. */
async function isOnlineAgain(clientId: string, { clients, find }: LeavingContext): Promise<boolean> {
  if (clients.byClient(clientId)) return true;
  const presence = await find(clientId);
  return presence !== undefined && !presence.moving;
}
