import type { Cluster } from '@tabletop-relay/cluster';
import { closeCodes } from '@tabletop-relay/contract';
import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { RelayMetrics } from '../../metrics.ts';
import { servedSince, subscribeCallUps } from '../../worlds/standbys.ts';
import type { Admission, PromotionWay } from '../admission/admission.ts';
import type { ConnectionLog } from '../admission/connection-log.ts';
import type { Visitor } from '../admission/visitor.ts';
import type { ClientSocket } from '../client-socket.ts';
import { createConnectedClients } from '../connected-clients.ts';
import type { ConnectedClients } from '../connected-clients.ts';
import { parseObject, textIn } from '../frames/frame-fields.ts';
import { costOfParsing } from '../frames/frame-refusals.ts';
import type { FrameRefusals } from '../frames/frame-refusals.ts';

/** Sockets that wait for their world. They are checked as every other, and get neither commands nor may they send events. */
export interface StandbySockets {
  /** Those of this instance. */
  readonly sockets: ConnectedClients;
  /**
   * The socket, which is on the waiting list, waits here from now on. `serve` is called when it has its world, with the id of the
   * `serve` frame that asked for it.
   */
  add(socket: ClientSocket, visitor: Visitor, serve: Serve): void;
  /** To be called when a socket that waited has ended, or waits no longer because the instance drains. */
  remove(socket: ClientSocket): void;
  /** Lets a standby serve if its world is free. */
  promote(conn: string): void;
  /** Handles a frame of a standby. */
  receive(socket: ClientSocket, data: Buffer, isBinary: boolean): void;
  /** Begins to hear of standbys that a person chose in the dashboard. Returns a function that stops it. */
  start(): () => void;
}

type Serve = (requestId?: string) => void;

export interface StandbySocketsDeps {
  cluster: Pick<Cluster, 'standbys' | 'directory' | 'broadcast' | 'instanceId'>;
  admission: Pick<Admission, 'promote'>;
  connectionLog: Pick<ConnectionLog, 'record'>;
  refusals: FrameRefusals;
  metrics: Pick<RelayMetrics, 'standbyClients' | 'promotions'>;
  log: Logger;
  /** Without `shortestServiceMs` two browsers that call themselves up in turns would end each other's calls all the time. */
  settings: { heartbeatMs: number; shortestServiceMs: number };
  /** No standby is promoted once the instance drains. */
  draining: AbortSignal;
}

/** What a browser that waits has to say is short. */
const maxFrameBytes = 32 * 1024;
/** A browser that does not answer a ping for so long is no help to its world. */
const probeMs = 2_000;

interface Waiting {
  visitor: Visitor;
  serve: Serve;
}

// oxlint-disable-next-line max-lines-per-function -- What may happen to a socket that waits, a few lines each.
export function createStandbySockets(deps: StandbySocketsDeps): StandbySockets {
  const { cluster, admission, connectionLog, refusals, metrics, log } = deps;
  const sockets = createConnectedClients();
  const waiting = new Map<ClientSocket, Waiting>();
  const promoting = new Set<ClientSocket>();
  /** For each of these the store is asked how long its world is served. */
  const callingUp = new Set<ClientSocket>();

  function remove(socket: ClientSocket): void {
    if (!waiting.delete(socket)) return;
    sockets.remove(socket);
    metrics.standbyClients.set(sockets.size);
    cluster.standbys.leave(socket.identity.clientId, socket.conn);
  }

  /** Resolves with whether the socket has its world. One promotion of a socket at a time. */
  async function promote(socket: ClientSocket, way: PromotionWay, requestId?: string): Promise<boolean> {
    const place = waiting.get(socket);
    if (!place || promoting.has(socket) || deps.draining.aborted) return false;
    promoting.add(socket);
    try {
      // Else a browser that has vanished would get the world for as long as nobody notices.
      if (!(await socket.probe(probeMs))) {
        socket.terminate();
        return false;
      }
      const refusal = await admission.promote(socket, way);
      if (refusal) {
        // What takes away its right to serve takes away that to wait.
        const { close, reason = closeCodes[close].meaning } = refusal;
        if (['token_invalid', 'address_not_allowed'].includes(refusal.outcome)) socket.close(close, reason);
        return false;
      }
      remove(socket);
      socket.isStandby = false;
      const { principal, clientId } = socket.identity;
      metrics.promotions.labels(way === 'takeOver' ? 'called_up' : 'succeeded').inc();
      log.info({ clientId, way }, 'a standby serves its world');
      connectionLog.record({
        visitor: place.visitor, outcome: 'connected', closeCode: null, principal, conn: socket.conn,
      }); // prettier-ignore
      place.serve(requestId);
      return true;
    } finally {
      promoting.delete(socket);
    }
  }

  function promoteSafely(...of: Parameters<typeof promote>): Promise<boolean> {
    const [socket] = of;
    return promote(...of).catch((error: unknown) => {
      log.error({ err: error, clientId: socket.identity.clientId }, 'a standby could not be promoted');
      return false;
    });
  }

  /** Resolves with why the standby does not serve; undefined where it does. */
  async function callUp(socket: ClientSocket, requestId?: string): Promise<FrameErrorCode | undefined> {
    if (promoting.has(socket) || callingUp.has(socket)) return 'overloaded';
    callingUp.add(socket);
    const servedMs = await servedSince(cluster.directory, socket.identity.clientId)
      .catch(() => undefined)
      .finally(() => callingUp.delete(socket));
    if (servedMs !== undefined && servedMs < deps.settings.shortestServiceMs) return 'rate_limited';
    return (await promoteSafely(socket, 'takeOver', requestId)) ? undefined : 'unavailable';
  }

  return {
    sockets,
    remove,
    add(socket, visitor, serve) {
      waiting.set(socket, { visitor, serve });
      sockets.add(socket);
      metrics.standbyClients.set(sockets.size);
      socket.send({
        type: 'standby',
        instanceId: cluster.instanceId,
        clientId: socket.identity.clientId,
        heartbeatMs: deps.settings.heartbeatMs,
      });
    },
    promote(conn) {
      const socket = sockets.byConn(conn);
      if (socket) void promoteSafely(socket, 'succeed');
    },
    receive(socket, data, isBinary) {
      socket.quietRounds = 0;
      if (isBinary) return socket.close('unsupportedData');
      socket.inflow.countUnasked(data.length * costOfParsing);
      const frame = data.length > maxFrameBytes ? undefined : parseObject(data.toString());
      const type = frame && textIn(frame, 'type');
      if (!type) return refusals.refuseBadFrame(socket, data, frame);
      const requestId = textIn(frame, 'requestId');
      if (type === 'ping') return socket.send({ type: 'pong' });
      if (type !== 'serve') return refusals.refuse(socket, 'standby', { type, requestId });
      void callUp(socket, requestId).then((code) => {
        if (code) refusals.refuse(socket, code, { type, requestId });
      });
    },
    start: () =>
      subscribeCallUps(cluster.broadcast, (conn) => {
        const socket = sockets.byConn(conn);
        if (socket) void callUp(socket);
      }),
  };
}
