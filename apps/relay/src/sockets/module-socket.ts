import websocket from '@fastify/websocket';
import type { Cluster } from '@tabletop-relay/cluster';
import { channelNames, closeCodes } from '@tabletop-relay/contract';
import type { CloseName } from '@tabletop-relay/contract';
import { createSlices } from '@tabletop-relay/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invalidFields, ProblemError } from '../problem.ts';
import type { PresenceFeed } from '../worlds/presence.ts';
import type { RelayMetrics } from '../metrics.ts';
import type { Admission } from './admission/admission.ts';
import { readAuth } from './admission/auth-frame.ts';
import type { AuthFrame } from './admission/auth-frame.ts';
import type { Arrivals } from './arrivals.ts';
import type { ClientSocket, SocketLink } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';
import type { ConnectionLog } from './admission/connection-log.ts';
import type { LimitConnects } from './admission/connect-limit.ts';
import type { Leaving } from './leaving/leave.ts';
import type { LastSeen } from '../worlds/last-seen.ts';
import { countArrivals } from './frames/inflow.ts';
import { parseObject } from './frames/frame-fields.ts';
import type { FramePlaces } from './frames/inflow.ts';
import { endCodeOf, refusedMessage } from './frames/frame-sizes.ts';
import type { HandleFrame } from './frames/module-frames.ts';
import { readVisitor } from './admission/visitor.ts';
import type { Visitor } from './admission/visitor.ts';
import type { StandbySockets } from './standby/standby-sockets.ts';
import { upgradeAlone } from './upgrade-alone.ts';

export interface ModuleSocketDeps {
  cluster: Cluster;
  clients: ConnectedClients;
  arrivals: Arrivals;
  limitConnects: LimitConnects;
  admission: Pick<Admission, 'admit' | 'waiting'>;
  connectionLog: Pick<ConnectionLog, 'record'>;
  leaving: Leaving;
  standbys: Pick<StandbySockets, 'add' | 'remove' | 'receive'>;
  handleFrame: HandleFrame;
  lastSeen: LastSeen;
  presence: PresenceFeed;
  log: Logger;
  metrics: RelayMetrics;
  framePlaces: FramePlaces;
  settings: {
    maxFrameBytes: number;
    authTimeoutMs: number;
    heartbeatMs: number;
    admissionsWaiting: number;
  };
  /** While the instance drains, no module is let in. */
  draining: AbortSignal;
}

/** The modules' WebSocket at `/relay`: JSON text, no compression, one auth frame first. */
export async function registerModuleSocket(app: FastifyInstance, deps: ModuleSocketDeps): Promise<void> {
  // Three of these are younger than the types of ws.
  const options = {
    maxPayload: mostBytes(deps.settings),
    maxFragments,
    maxBufferedChunks,
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
  const slices = createSlices();
  const isTooMany = () => slices.waiting + deps.admission.waiting() >= deps.settings.admissionsWaiting;
  app.route({
    method: 'GET',
    url: '/relay',
    schema: { hide: true },
    preValidation: async (request) => {
      if (deps.draining.aborted)
        throw new ProblemError('unavailable', 'This instance is going away. Connect again.');
      refuseBadQuery(request);
      // Without an upgrade it is no attempt: any page could send such requests in a visitor's name.
      if (!request.ws) return;
      if (isTooMany()) throw tooMany();
      // Of ten thousand modules that come back at once some are let through in each turn, and calls in between.
      await new Promise<void>((resolve) => slices.add(resolve));
      deps.limitConnects(readVisitor(request));
    },
    ...upgradeAlone,
    wsHandler: (ws, request) => {
      const visitor = readVisitor(request);
      ws.removeAllListeners('error');
      // Too big, or not even a frame: `close` follows by itself.
      ws.on('error', ({ code }: FrameError) =>
        deps.log.info({ clientId: visitor.clientId, code }, 'socket closed: bad frame'),
      );
      awaitAuth({ ws, transport: request.raw.socket }, visitor, deps);
    },
  });
}

/** An error of `ws` for a frame that it does not take. */
type FrameError = Error & { code?: string };

/** A frame above the limit is read all the same, so that the call that it answers can be told. Twice as large ends the connection. */
const mostBytes = ({ maxFrameBytes }: { maxFrameBytes: number }): number => 2 * maxFrameBytes;
/** Frames that one message may come in. `ws` keeps a part for each; browsers cut a message of 15 MB into some hundred. */
const maxFragments = 4_096;
/** Pieces that a message may arrive in. A network sends some hundred bytes in each. */
const maxBufferedChunks = 65_536;

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

const tooMany = () =>
  new ProblemError('unavailable', 'Too many worlds connect at the same time. Connect again later.', {
    retryAfterS: 1 + Math.floor(Math.random() * comeBackWithinS),
  });

/** Spread, so that the modules that were refused do not come back all at once. */
const comeBackWithinS = 10;
/** How long a peer may take to answer the closing handshake. */
const closingMs = 2_000;
/** What a stranger may send is not worth the room that a world's frames take; the token has 42 characters. */
const maxStrangerBytes = 32 * 1024;

type Frame = [data: Buffer, isBinary: boolean];

function awaitAuth(link: SocketLink, visitor: Visitor, deps: ModuleSocketDeps): void {
  const { ws, transport } = link;
  const { authTimeoutMs } = deps.settings;
  // Until its auth frame is there, and again once it is refused: closing goes on reading for a while.
  let isStranger = true;
  let received = 0;
  const leftEarly = () => {
    clearTimeout(deadline);
    deps.connectionLog.record({ visitor, outcome: 'gone', closeCode: closeCodes.normal.code });
  };
  const giveUp = (outcome: 'auth_timeout' | 'auth_missing', close: CloseName, reason: string) => {
    clearTimeout(deadline);
    ws.off('close', leftEarly);
    ws.removeAllListeners('message');
    deps.connectionLog.record({ visitor, outcome, closeCode: closeCodes[close].code });
    ws.close(closeCodes[close].code, reason);
  };
  const deadline = setTimeout(
    () => giveUp('auth_timeout', 'temporary', `No auth frame within ${authTimeoutMs / 1000} s`),
    authTimeoutMs,
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
    clearTimeout(deadline);
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
        const take = (...next: Frame) =>
          socket.isStandby ? deps.standbys.receive(socket, ...next) : deps.handleFrame(socket, ...next);
        ws.on('message', take);
        for (const next of early) take(...next);
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
  ws.removeAllListeners('close');
  ws.on('close', (code: number) => {
    if (socket.isStandby) deps.standbys.remove(socket);
    else deps.leaving.leave(socket, socket.endCode(code));
  });
  const onControlFrame = () => {
    socket.quietRounds = 0;
    socket.inflow.countUnasked(0);
  };
  ws.on('pong', onControlFrame);
  ws.on('ping', onControlFrame);
  ws.on('error', ({ code }: FrameError) => {
    socket.refuseFrame(endCodeOf(code));
    const what = refusedMessage(code, mostBytes(deps.settings));
    if (what) socket.calls.endFor(what);
  });
  const serve = (requestId?: string) => startServing(socket, deps, requestId);
  if (socket.isStandby) deps.standbys.add(socket, visitor, serve);
  else serve();
  return socket;
}

/** The socket has its client: commands may come down it. */
function startServing(socket: ClientSocket, deps: ModuleSocketDeps, requestId?: string): void {
  const { accountId, clientId } = socket.identity;
  deps.clients.add(socket);
  deps.metrics.connectedClients.set(deps.clients.size);
  void deps.lastSeen.connected(socket.identity).then(() => {
    deps.presence.announce({ accountId, clientId, isOnline: true });
  });
  socket.send({
    type: 'auth-success',
    instanceId: deps.cluster.instanceId,
    clientId,
    heartbeatMs: deps.settings.heartbeatMs,
    maxFrameBytes: deps.settings.maxFrameBytes,
    pauses: socket.identity.principal.pauses.ofWorld(clientId),
    ...(requestId && { requestId }),
  });
  deps.cluster.streams.open(clientId, socket.conn, channelNames);
  deps.arrivals.settle(socket.conn, socket);
}
