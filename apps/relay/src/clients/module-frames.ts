import { channels, frameErrors } from '@tabletop-relay/contract';
import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { Records } from '../accounts/records.ts';
import type { RelayMetrics } from '../metrics.ts';
import { ProblemError } from '../http/problem.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ListKnownClients } from './known-clients.ts';
import { requestIdIn } from './reply.ts';

export interface ModuleFrameDeps {
  log: Logger;
  metrics: RelayMetrics;
  knownClients: ListKnownClients;
  records: Pick<Records, 'audit'>;
}

const maxBadFramesPerMinute = 10;
const eventFrames = new Set<string>(Object.values(channels).map((channel) => channel.frame));

/** Handles what an authenticated module sends. Nothing in a frame can throw out of here. */
export function createFrameHandler(deps: ModuleFrameDeps) {
  const { log, metrics } = deps;
  const listing = new WeakSet<ClientSocket>();
  const badFrames = new WeakMap<ClientSocket, { count: number; since: number }>();

  function refuse(socket: ClientSocket, code: FrameErrorCode, type?: string): void {
    log.info({ code, type, clientId: socket.identity.clientId }, 'frame refused');
    metrics.framesRefused.labels(code).inc();
    socket.send({ type: 'error', code, message: frameErrors[code] });
  }

  function refuseBadFrame(socket: ClientSocket, text: string): void {
    const requestId = requestIdIn(text);
    const call = requestId ? socket.calls.take(requestId) : undefined;
    call?.reject(new ProblemError('client_bad_reply', 'The world’s answer was not JSON.', { requestId }));
    refuse(socket, 'bad_frame');
    const bad = badFrames.get(socket);
    if (!bad || performance.now() - bad.since > 60_000)
      badFrames.set(socket, { count: 1, since: performance.now() });
    else if (++bad.count >= maxBadFramesPerMinute)
      socket.close('temporary', 'Too many frames that are not JSON');
  }

  function receiveReply(socket: ClientSocket, frame: Record<string, unknown>, body: Buffer): void {
    if (socket.receiveReply(frame, body)) return;
    metrics.repliesDropped.inc();
    log.info(
      { clientId: socket.identity.clientId, type: frame['type'] },
      'reply dropped: nobody waits for it',
    );
  }

  function receive(socket: ClientSocket, type: string, frame: Record<string, unknown>, body: Buffer): void {
    switch (type) {
      case 'ping':
        return socket.send({ type: 'pong' });
      case 'auth':
        return refuse(socket, 'already_authenticated');
      case 'player-list':
        return;
      case 'module-notify':
        return recordNotice(socket, frame);
      case 'get-known-clients':
        return void answerKnownClients(socket, frame);
      case 'remote-request':
        return refuseRemoteRequest(socket, frame);
      default:
        if (eventFrames.has(type)) return;
        // A reply by a wrong name still names its call.
        if (!socket.receiveReply(frame, body)) refuse(socket, 'unknown_frame', type.slice(0, 100));
    }
  }

  function recordNotice({ identity }: ClientSocket, frame: Record<string, unknown>): void {
    deps.records.audit({
      event: `module.${textIn(frame, 'event')}`,
      account_id: identity.accountId,
      actor: 'token',
      client_id: identity.clientId,
      subject_id: identity.principal.tokenId,
      ip_address: identity.address,
    });
  }

  /** Requests between worlds come with a later release; the asking module is told at once. */
  function refuseRemoteRequest(socket: ClientSocket, frame: Record<string, unknown>): void {
    socket.send({
      type: 'remote-response',
      requestId: textIn(frame, 'requestId'),
      success: false,
      error: 'Requests between worlds are not available on this relay.',
      code: 'not_supported',
    });
  }

  async function answerKnownClients(socket: ClientSocket, frame: Record<string, unknown>): Promise<void> {
    const requestId = textIn(frame, 'requestId');
    if (listing.has(socket)) {
      return socket.send({
        type: 'error',
        code: 'overloaded',
        message: 'Your last question is not answered yet.',
      });
    }
    listing.add(socket);
    try {
      const clients = await deps.knownClients(socket.identity.accountId);
      socket.send({
        type: 'known-clients-result',
        requestId,
        clients: clients.map(({ clientId, worldTitle, customName, systemTitle, systemId, isOnline }) => ({
          clientId,
          worldTitle,
          ...(customName ? { customName } : {}),
          systemTitle,
          systemId,
          isOnline,
        })),
        tokenScopes: [...socket.identity.principal.scopes],
        tokenAllowedTargets: [...socket.identity.principal.allowedTargetClients],
      });
    } catch (error) {
      log.warn({ err: error }, 'known clients could not be listed');
      socket.send({
        type: 'error',
        code: 'unavailable',
        message: 'The list is not available at the moment.',
      });
    } finally {
      listing.delete(socket);
    }
  }

  function handle(socket: ClientSocket, data: Buffer, isBinary: boolean): void {
    socket.quietRounds = 0;
    if (isBinary) {
      log.info({ clientId: socket.identity.clientId }, 'socket closed: binary frame');
      return socket.close('unsupportedData');
    }
    const text = data.toString();
    const frame = parseObject(text);
    const type = frame?.['type'];
    if (!frame || typeof type !== 'string') return refuseBadFrame(socket, text);
    if (type.endsWith('-result')) return receiveReply(socket, frame, data);
    receive(socket, type, frame, data);
  }

  return function handleFrame(socket: ClientSocket, data: Buffer, isBinary: boolean): void {
    try {
      handle(socket, data, isBinary);
    } catch (error) {
      // A bug of ours; the other worlds of this process must not pay for it.
      log.error({ err: error, clientId: socket.identity.clientId }, 'a frame could not be handled');
      socket.close('temporary');
    }
  };
}

/** A short text of a frame; '' for anything else, which may not even have a way to be printed. */
function textIn(frame: Record<string, unknown>, name: string): string {
  const value = frame[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : '';
}

/** The JSON object that a text is, or undefined. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
