import websocket from '@fastify/websocket';
import type { Cluster } from '@tabletop-relay/cluster';
import { channelNames, closeCodes } from '@tabletop-relay/contract';
import type { CloseName } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { invalidFields, ProblemError } from '../problem.ts';
import type { PresenceFeed } from '../worlds/presence.ts';
import type { RelayMetrics } from '../metrics.ts';
import type { createAdmission } from './admission/admission.ts';
import { readAuth } from './admission/auth-frame.ts';
import type { AuthFrame } from './admission/auth-frame.ts';
import type { Arrivals } from './arrivals.ts';
import type { ClientSocket, SocketLink } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';
import type { ConnectionLog } from './admission/connection-log.ts';
import type { Deadlines } from './deadlines.ts';
import type { LimitKnocks } from './admission/knocks.ts';
import type { LastSeen } from '../worlds/last-seen.ts';
import { parseObject } from './frames/frame-fields.ts';
import { countArrivals } from './frames/count-arrivals.ts';
import type { FramePlaces } from './frames/frame-places.ts';
import type { createFrameHandler } from './frames/module-frames.ts';
import { readVisitor } from './admission/visitor.ts';
import type { Visitor } from './admission/visitor.ts';

export interface ModuleSocketDeps {
  cluster: Cluster;
  clients: ConnectedClients;
  arrivals: Arrivals;
  limitKnocks: LimitKnocks;
  admission: ReturnType<typeof createAdmission>;
  connectionLog: Pick<ConnectionLog, 'record' | 'left'>;
  handleFrame: ReturnType<typeof createFrameHandler>;
  lastSeen: LastSeen;
  presence: PresenceFeed;
  deadlines: Deadlines;
  log: Logger;
  metrics: RelayMetrics;
  framePlaces: FramePlaces;
  settings: { maxFrameBytes: number; authTimeoutMs: number; heartbeatMs: number };
  /** While the instance drains, no module is let in. */
  isDraining(): boolean;
}

/** The modules' WebSocket at `/relay`: JSON text, no compression, one auth frame first. */
export async function registerModuleSocket(app: FastifyInstance, deps: ModuleSocketDeps): Promise<void> {
  // `closeTimeout` is younger than the types of ws.
  const options = {
    maxPayload: deps.settings.maxFrameBytes,
    perMessageDeflate: false,
    closeTimeout: closingMs,
  };
  await app.register(websocket, {
    options,
    // Draining closed the worlds' sockets, each with its code. What is left never authenticated, or answers nothing.
    preClose: (done) => {
      for (const ws of app.websocketServer.clients) ws.terminate();
      done();
    },
  });
  app.route({
    method: 'GET',
    url: '/relay',
    schema: { hide: true },
    preValidation: async (request) => {
      if (deps.isDraining())
        throw new ProblemError('unavailable', 'This instance is going away. Connect again.');
      refuseBadQuery(request);
      // Without an upgrade it is no attempt: any page could send such requests in a visitor's name.
      if (request.ws) deps.limitKnocks(readVisitor(request));
    },
    handler: () => {
      throw invalidFields([
        { field: 'upgrade', message: 'is missing: this address takes WebSocket connections' },
      ]);
    },
    wsHandler: (ws, request) => {
      const visitor = readVisitor(request);
      ws.removeAllListeners('error');
      // Too big, or not even a frame: `close` follows by itself.
      ws.on('error', (error: Error & { code?: string }) =>
        deps.log.info({ clientId: visitor.clientId, code: error.code }, 'socket closed: bad frame'),
      );
      awaitAuth(takeSocket(ws, request), visitor, deps);
    },
  });
}

function refuseBadQuery(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  if (typeof query['id'] !== 'string' || query['id'] === '') {
    throw invalidFields([{ field: 'id', message: 'is missing: the clientId that pairing gave' }]);
  }
  if (query['token'] !== undefined) {
    throw invalidFields([
      { field: 'token', message: 'does not belong in an address: send it as the first frame' },
    ]);
  }
}

/** How long a peer may take to answer the closing handshake. */
const closingMs = 2_000;
/** What a stranger may send is not worth the room that a world's frames take; the token has 42 characters. */
const maxStrangerBytes = 32 * 1024;

type Frame = [data: Buffer, isBinary: boolean];

/** Lets go of what the upgrade left on the socket, so that ten thousand idle worlds stay small. */
function takeSocket(ws: WebSocket, request: FastifyRequest): SocketLink {
  const { socket } = request.raw;
  (socket as { _httpMessage?: { detachSocket(s: unknown): void } })._httpMessage?.detachSocket(socket);
  return { ws, transport: socket };
}

function awaitAuth(link: SocketLink, visitor: Visitor, deps: ModuleSocketDeps): void {
  const { ws, transport } = link;
  const { authTimeoutMs } = deps.settings;
  // Until its auth frame is there, and again once it is refused: closing goes on reading for a while.
  let isStranger = true;
  let received = 0;
  const leftEarly = () => {
    deadline.cancel();
    deps.connectionLog.record({ visitor, outcome: 'gone', closeCode: closeCodes.normal.code });
  };
  const giveUp = (outcome: 'auth_timeout' | 'auth_missing', close: CloseName, reason: string) => {
    deadline.cancel();
    ws.off('close', leftEarly);
    ws.removeAllListeners('message');
    deps.connectionLog.record({ visitor, outcome, closeCode: closeCodes[close].code });
    ws.close(closeCodes[close].code, reason);
  };
  const deadline = deps.deadlines.add(authTimeoutMs, () =>
    giveUp('auth_timeout', 'temporary', `No auth frame within ${authTimeoutMs / 1000} s`),
  );
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= maxStrangerBytes) return;
    if (!isStranger) return ws.pause();
    if (ws.readyState === ws.OPEN) giveUp('auth_missing', 'frameTooBig', 'The auth frame is too big');
    transport.destroySoon();
  };
  transport.on('data', count);
  ws.once('close', leftEarly);
  ws.once('message', (data: Buffer, isBinary: boolean) => {
    deadline.cancel();
    ws.off('close', leftEarly);
    const auth = isBinary ? undefined : readAuth(parseObject(data.toString()));
    if (!auth) {
      return giveUp('auth_missing', 'temporary', 'The first frame must be {"type":"auth","token":"..."}');
    }
    isStranger = false;
    received = 0;
    // Reading goes on during the checks, as far as strangers may write: only so is it seen that a module left.
    const early: Frame[] = [];
    ws.on('message', (...next: Frame) => early.push(next));
    admit(link, visitor, auth, deps)
      .then((socket) => {
        ws.removeAllListeners('message');
        if (!socket) {
          isStranger = true;
          return;
        }
        transport.off('data', count);
        countArrivals(link, deps.framePlaces.arrivalsOf(socket));
        ws.on('message', (...next: Frame) => deps.handleFrame(socket, ...next));
        for (const next of early) deps.handleFrame(socket, ...next);
      })
      .catch((error: unknown) => {
        deps.log.error({ err: error, clientId: visitor.clientId }, 'a module could not be admitted');
        ws.close(closeCodes.temporary.code, closeCodes.temporary.meaning);
      })
      .finally(() => ws.resume());
  });
}

async function admit(
  link: SocketLink,
  visitor: Visitor,
  auth: AuthFrame,
  deps: ModuleSocketDeps,
): Promise<ClientSocket | undefined> {
  const socket = await deps.admission.admit(link, visitor, auth);
  if (!socket) return undefined;
  const { ws, transport } = link;
  transport.on('data', (chunk: Buffer) => socket.inflow.countBytes(chunk.length));
  deps.clients.add(socket);
  deps.metrics.connectedClients.set(deps.clients.size);
  ws.removeAllListeners('close');
  ws.on('close', (code: number) => leave(socket, code, deps));
  const onControlFrame = () => {
    socket.quietRounds = 0;
    socket.inflow.countUnasked(0);
  };
  ws.on('pong', onControlFrame);
  ws.on('ping', onControlFrame);
  const { accountId, clientId } = socket.identity;
  void deps.lastSeen.connected(socket.identity).then(() => {
    deps.presence.announce({ accountId, clientId, isOnline: true });
  });
  socket.send({
    type: 'auth-success',
    instanceId: deps.cluster.instanceId,
    clientId: visitor.clientId,
    heartbeatMs: deps.settings.heartbeatMs,
  });
  deps.cluster.streams.open(visitor.clientId, socket.conn, channelNames);
  deps.arrivals.settle(socket.conn, socket);
  return socket;
}

/** The socket is gone: its calls fail at once, and the client is free for another. */
function leave(socket: ClientSocket, code: number, deps: ModuleSocketDeps): void {
  deps.clients.remove(socket);
  deps.metrics.connectedClients.set(deps.clients.size);
  socket.endCalls();
  const { isSucceeded, identity } = socket;
  deps.log.info({ clientId: identity.clientId, closeCode: code, isSucceeded }, 'module disconnected');
  // Who was succeeded by its own next socket was recorded as it went over.
  if (!isSucceeded) deps.connectionLog.left(socket, 'disconnected', code);
  void tellAway(socket, deps);
}

async function tellAway(socket: ClientSocket, deps: ModuleSocketDeps): Promise<void> {
  const { cluster, lastSeen, presence, log } = deps;
  const { accountId, clientId } = socket.identity;
  const isGone = !socket.isSucceeded && !socket.isMoving && socket.returnsWithinMs === 0;
  // Before the claim is released, because only the owner of a client may append its events.
  await cluster.streams.close(socket.conn, { offline: isGone });
  // Its next socket serves the world already, unless it has failed meanwhile.
  if (socket.isSucceeded && (await isOnlineAgain(clientId, deps))) return;
  const released = socket.isMoving
    ? undefined
    : cluster.directory.release(clientId, socket.conn, socket.returnsWithinMs).catch((error: unknown) => {
        log.warn({ err: error, clientId }, 'a claim was not released; its lease ends it');
      });
  // Told when both are done: who reads the list at this news finds the world offline, and when it was last seen.
  await Promise.all([released, lastSeen.disconnected(socket.identity)]);
  if (await isOnlineAgain(clientId, deps)) return;
  presence.announce({ accountId, clientId, isOnline: false });
}

/** A world that came back before its going was told has been announced by its new socket, here or elsewhere. */
async function isOnlineAgain(clientId: string, { clients, cluster }: ModuleSocketDeps): Promise<boolean> {
  if (clients.byClient(clientId)) return true;
  const found = await cluster.directory.find([clientId]).catch(() => undefined);
  const presence = found?.get(clientId);
  return presence !== undefined && !presence.moving;
}
