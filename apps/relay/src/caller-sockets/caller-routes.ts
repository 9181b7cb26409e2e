import type { Operation } from '@tabletop-relay/contract';
import { callerChannelNames, callerFrames } from '@tabletop-relay/contract';
import type { Cluster } from '@tabletop-relay/cluster';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressPrefixes, Budget } from '@tabletop-relay/kit';
import type { Owner } from '@tabletop-relay/kit';
import type { Logger } from 'pino';
import { checkReach } from '../calls/choose-client.ts';
import type { ChooseClient } from '../calls/choose-client.ts';
import { bearerOf } from '../keys/bearer.ts';
import type { Authenticate, KeysByHash, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { codeOf, invalidFields, ProblemError } from '../problem.ts';
import { senderOf } from '../records/sender.ts';
import { createOutbox } from '../sockets/outbox.ts';
import { parseObject } from '../sockets/frames/frame-fields.ts';
import { countArrivals } from '../sockets/frames/inflow.ts';
import { upgradeAlone } from '../sockets/upgrade-alone.ts';
import { takeStreamSeat } from '../streams/stream-limits.ts';
import type { StreamLimits } from '../streams/stream-limits.ts';
import type { TellRefusal } from './admission.ts';
import { maxFileBytes } from './carry-out.ts';
import { CallerSocket } from './caller-socket.ts';
import type { CallerVisitor } from './caller-socket.ts';
import { closeFor } from './close-for.ts';
import { problemOf, failureMessage } from './failures.ts';
import { maxMessageBytes } from './messages.ts';
import type { TakeMessage } from './messages.ts';
import type { OpenCallers } from './open-callers.ts';
import { mostSubscriptions } from './subscriptions.ts';

export interface CallerRoutesDeps {
  cluster: Pick<Cluster, 'seats'>;
  operations: readonly Operation[];
  authenticate: Authenticate;
  keys: Pick<KeysByHash, 'hashOf'>;
  limits: Pick<CallLimits, 'spendMinute'>;
  chooseClient: ChooseClient;
  takeMessage: TakeMessage;
  tellRefusal: TellRefusal;
  open: OpenCallers;
  nextId(): string;
  publicUrlOf(request: FastifyRequest): string;
  version: string;
  metrics: Pick<RelayMetrics, 'callerSockets'>;
  log: Logger;
  draining: AbortSignal;
  settings: StreamLimits & {
    heartbeatMs: number;
    authTimeoutMs: number;
    callerReadTimeoutMs: number;
    callsInFlightPerKey: number;
    streamQueueBytes: number;
    strangersAtOnce: number;
  };
}

const path = '/ws/api';

/** A key as it may stand in the head of the upgrade. */
function keyIn({ headers }: FastifyRequest): string | string[] | undefined {
  return headers['x-api-key'] ?? bearerOf(headers);
}

/** What a stranger may send. A key has 46 characters, and messages may follow it at once. */
const maxStrangerBytes = 32 * 1024;

/**
 * The callers' WebSocket: JSON text, no compression, the key first. Beside the modules’ socket, so that one server upgrades both.
 */
export function registerCallerSocket(app: FastifyInstance, deps: CallerRoutesDeps): void {
  const { settings, draining } = deps;
  const outbox = createOutbox();
  const strangers = new Budget(settings.strangersAtOnce);
  const letIn = createLetIn(deps);
  app.route({
    method: 'GET',
    url: path,
    schema: { hide: true },
    preValidation: async (request) => {
      if (draining.aborted)
        throw new ProblemError('unavailable', 'This instance is going away. Connect again.');
      refuseBadQuery(request);
      if (!request.ws) return;
      const key = keyIn(request);
      // Who sends it in the head can read a refusal by HTTP, and is no stranger.
      if (key !== undefined) request.principal = await deps.authenticate(key, request.ip, request.raw.socket);
      else if (strangers.lacking(addressesOf(request.ip, settings)) !== undefined) throw tooManyStrangers();
    },
    ...upgradeAlone,
    wsHandler: (ws, request) => {
      const transport = request.raw.socket;
      const visitor = readVisitor(request, deps.publicUrlOf(request));
      const socket = new CallerSocket(ws, transport, visitor, outbox, settings.callerReadTimeoutMs);
      ws.removeAllListeners('error');
      ws.on('error', () => {});
      const known = (request as { principal?: Principal }).principal;
      boundMessages(socket);
      if (known) void letIn(socket, known);
      else awaitAuth(socket, deps, strangers.add(addressesOf(request.ip, settings), 1), letIn);
    },
  });
}

function readVisitor(request: FastifyRequest, publicUrl: string): CallerVisitor {
  const { clientId } = request.query as { clientId?: string };
  return { address: request.ip, sender: senderOf(request), clientId, publicUrl };
}

function refuseBadQuery(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  const { clientId } = query;
  if (clientId !== undefined && (typeof clientId !== 'string' || clientId === '' || clientId.length > 128))
    throw invalidFields([{ field: 'clientId', place: 'query', message: 'must be the id of one world' }]);
  const [other] = Object.keys(query).filter((name) => name !== 'clientId');
  // A key in an address is logged on the way.
  if (other !== undefined)
    throw invalidFields([
      { field: other.slice(0, 100), place: 'query', message: 'does not belong in this address: send the key as the first message' },
    ]); // prettier-ignore
}

/** One address may have so many of the strangers, or none else could come: an eighth. */
const addressShare = 1 / 8;

const addressesOf = (address: string, { strangersAtOnce }: { strangersAtOnce: number }): Owner[] =>
  addressPrefixes(address).map(({ block, times }) => ({
    of: block,
    most: Math.ceil(strangersAtOnce * addressShare) * times,
  }));

const tooManyStrangers = () =>
  new ProblemError('unavailable', 'Too many sockets connect at the same time. Connect again later.');

/**
 * Ends a socket that sends more than a message may have before the message is whole: it would be held in memory until then. So does one that
 * goes on sending while it closes. Pings that nobody needs are bounded by `ws`.
 */
function boundMessages(socket: CallerSocket): void {
  const { ws, transport } = socket;
  let received = 0;
  countArrivals(socket, {
    count(bytes) {
      received += bytes;
      if (received <= (socket.admitted ? 2 * maxMessageBytes : maxStrangerBytes)) return;
      if (socket.isOpen) {
        socket.close('frameTooBig');
        transport.destroySoon();
      } else transport.destroy();
    },
    end() {
      if (socket.isOpen) received = 0;
    },
  });
  ws.on('message', (...message: Message) => socket.receive(...message));
  const onControlFrame = () => {
    socket.quietRounds = 0;
  };
  ws.on('pong', onControlFrame).on('ping', onControlFrame);
}

type Message = [data: Buffer, isBinary: boolean];

/** `early`: messages that came in one piece with the key. */
type LetIn = (socket: CallerSocket, principal: Principal, early?: Message[]) => Promise<void>;

function awaitAuth(
  socket: CallerSocket,
  deps: CallerRoutesDeps,
  leaveStrangers: () => void,
  letIn: LetIn,
): void {
  const { ws, transport, visitor } = socket;
  const { authTimeoutMs } = deps.settings;
  const deadline = setTimeout(() => socket.close('authTimeout'), authTimeoutMs);
  ws.once('close', () => {
    clearTimeout(deadline);
    leaveStrangers();
  });
  socket.receive = (data, isBinary) => {
    clearTimeout(deadline);
    ws.pause();
    const { type, token } = (isBinary ? undefined : parseObject(data.toString())) ?? {};
    socket.receive = () => {};
    if (type !== 'auth' || typeof token !== 'string')
      return socket.close('keyRefused', 'The first message must be {"type":"auth","token":"..."}');
    const early: Message[] = [];
    socket.receive = (...message) => void early.push(message);
    deps
      .authenticate(token, visitor.address, transport)
      .then((principal) => letIn(socket, principal, early))
      .catch((error: unknown) => refuse(socket, error, deps))
      .finally(leaveStrangers);
  };
}

function refuse(socket: CallerSocket, error: unknown, { nextId, tellRefusal }: CallerRoutesDeps): void {
  const problem = problemOf(error);
  const traceId = nextId();
  tellRefusal(socket, problem, { traceId });
  const context = { publicUrl: socket.visitor.publicUrl, traceId, relayed: undefined };
  socket.send({ type: 'error', ...failureMessage(problem, context) });
  closeFor(socket, error);
}

/** Lets a socket in whose key was just found: from here on it ends with the key. */
function createLetIn(deps: CallerRoutesDeps): LetIn {
  const { cluster, keys, limits, chooseClient, open, metrics, settings, draining, takeMessage } = deps;
  const supportedTypes = [...Object.keys(callerFrames), ...deps.operations.map(({ name }) => name)];

  /** The world for messages that name none, as far as it can be told. */
  async function findWorld({ visitor }: CallerSocket, principal: Principal): Promise<string | null> {
    if (visitor.clientId !== undefined) checkReach(principal.clientIds, visitor.clientId);
    return await chooseClient(principal, visitor.clientId).catch((error: unknown) => {
      if (['client_required', 'unavailable'].includes(codeOf(error))) return null;
      throw error;
    });
  }

  return async function letIn(socket, principal, early = []) {
    const { ws } = socket;
    if (!socket.isOpen) return;
    socket.admitted = { principal, keyHash: keys.hashOf(principal) };
    open.add(socket);
    metrics.callerSockets.set(open.size);
    let leaveSeat: (() => void) | undefined;
    // What comes during the checks waits in the kernel, but for what came in one piece with the key.
    ws.pause();
    socket.receive = (...message) => void early.push(message);
    ws.once('close', () => {
      leaveSeat?.();
      open.remove(socket);
      metrics.callerSockets.set(open.size);
      socket.end();
    });
    try {
      await limits.spendMinute(principal);
      const leave = await takeStreamSeat(cluster, principal, settings, undefined);
      if (!socket.isOpen) return leave();
      leaveSeat = leave;
      const clientId = await findWorld(socket, principal);
      if (draining.aborted) return socket.close('goingAway');
      if (!socket.isOpen) return;
      socket.send({
        type: 'connected',
        clientId,
        supportedTypes,
        eventChannels: callerChannelNames,
        version: deps.version,
        scopes: [...principal.scopes],
        limits: {
          frameBytes: maxMessageBytes,
          fileBytes: maxFileBytes,
          callsInFlight: settings.callsInFlightPerKey,
          subscriptions: mostSubscriptions,
          eventQueueBytes: settings.streamQueueBytes,
        },
        heartbeatMs: settings.heartbeatMs,
      });
      socket.receive = (...message) => takeMessage(socket, ...message);
      for (const message of early.splice(0)) socket.receive(...message);
      if (socket.isOpen) ws.resume();
    } catch (error) {
      refuse(socket, error, deps);
    }
  };
}
