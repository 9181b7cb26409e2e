import { frameErrors } from '@tabletop-relay/contract';
import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { AccountLimits } from '../../limits/limits.ts';
import type { Records } from '../../records/records.ts';
import type { RelayMetrics } from '../../metrics.ts';
import { ProblemError } from '../../problem.ts';
import { createAnswerKnownClients } from './answer-known-clients.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { LogFrame } from './frame-log.ts';
import type { ListKnownClients } from '../../worlds/known-clients.ts';
import { createJudgeLargeFrame, isEventFrame } from './large-frames.ts';
import { isRefusal, requestIdIn } from './reply.ts';
import { createSocketRate } from './socket-rate.ts';

export interface ModuleFrameDeps {
  log: Logger;
  logFrame: LogFrame;
  metrics: RelayMetrics;
  knownClients: ListKnownClients;
  records: Pick<Records, 'audit' | 'countDropped'>;
  limits: Pick<AccountLimits, 'moduleNotify' | 'knownClients'> & {
    /** A larger frame is parsed only when a call waits for it. */
    largeFrameBytes: number;
  };
}

interface RefusedFrame {
  type?: string | undefined;
  requestId?: string | undefined;
}

const maxBadFramesPerMinute = 10;
/** What no call waited for counts so many times its bytes: about as much as it takes of the processor. */
const costOfParsing = 8;
const costOfDropping = 2;

/** Handles what an authenticated module sends. Nothing in a frame can throw out of here. */
export function createFrameHandler(deps: ModuleFrameDeps) {
  const { log, logFrame, metrics, limits } = deps;
  const judgeLargeFrame = createJudgeLargeFrame({ metrics, logFrame });
  const answerKnownClients = createAnswerKnownClients(deps);
  const notices = createSocketRate(deps.limits.moduleNotify);
  const badFrames = new WeakMap<ClientSocket, { count: number; since: number }>();

  /** The answer names the frame's `requestId`, if it has one: who asked must not wait for its time-out. */
  function refuse(socket: ClientSocket, code: FrameErrorCode, refused: RefusedFrame = {}): void {
    const { type, requestId } = refused;
    logFrame(socket, { code, type: type?.slice(0, 100) }, 'frame refused');
    metrics.framesRefused.labels(code).inc();
    socket.send({ type: 'error', ...(requestId ? { requestId } : {}), code, message: frameErrors[code] });
  }

  function refuseBadFrame(socket: ClientSocket, body: Buffer, frame: Record<string, unknown> = {}): void {
    countUnasked(socket, body, costOfParsing);
    const requestId = requestIdIn(body);
    const call = requestId ? socket.calls.take(requestId) : undefined;
    call?.reject(new ProblemError('client_bad_reply', 'The world’s answer was not JSON.', { requestId }));
    refuse(socket, 'bad_frame', { requestId: textIn(frame, 'requestId') || requestId });
    const bad = badFrames.get(socket);
    if (!bad || performance.now() - bad.since > 60_000)
      badFrames.set(socket, { count: 1, since: performance.now() });
    else if (++bad.count >= maxBadFramesPerMinute)
      socket.close('temporary', 'Too many frames that are not JSON');
  }

  function receiveReply(socket: ClientSocket, frame: Record<string, unknown>, body: Buffer): void {
    if (socket.receiveReply(frame, body)) return;
    countUnasked(socket, body, costOfParsing);
    metrics.repliesDropped.inc();
    logFrame(socket, { type: frame['type'] }, 'reply dropped: nobody waits for it');
  }

  function receive(socket: ClientSocket, type: string, frame: Record<string, unknown>, body: Buffer): void {
    const requestId = textIn(frame, 'requestId');
    switch (type) {
      case 'ping':
        return socket.send({ type: 'pong' });
      case 'auth':
        return refuse(socket, 'already_authenticated', { type, requestId });
      case 'player-list':
        return;
      case 'module-notify':
        return recordNotice(socket, frame);
      case 'get-known-clients':
        return void answerKnownClients(socket, requestId, (code) =>
          refuse(socket, code, { type, requestId }),
        );
      case 'remote-request':
        return refuseRemoteRequest(socket, requestId);
      default:
        if (isEventFrame(type)) return;
        // A reply by a wrong name still names its call.
        if (!socket.receiveReply(frame, body)) refuse(socket, 'unknown_frame', { type, requestId });
    }
  }

  /** The module is told once of many refused in a row: today's modules send what they like and read no errors. */
  function recordNotice(socket: ClientSocket, frame: Record<string, unknown>): void {
    const { identity } = socket;
    const { refusedInARow } = notices.spend(socket);
    if (refusedInARow > 0) deps.records.countDropped(identity.accountId, 'rate_limited');
    if (refusedInARow === 1)
      refuse(socket, 'rate_limited', {
        type: 'module-notify',
        requestId: textIn(frame, 'requestId'),
      });
    if (refusedInARow > 0) return;
    deps.records.audit({
      event: `module.${textIn(frame, 'event').slice(0, 100)}`,
      accountId: identity.accountId,
      actor: 'token',
      clientId: identity.clientId,
      subjectId: identity.principal.tokenId,
      ipAddress: identity.address,
    });
  }

  /** Requests between worlds come with a later release; the asking module is told at once. */
  function refuseRemoteRequest(socket: ClientSocket, requestId: string): void {
    const code = 'not_supported' satisfies FrameErrorCode;
    socket.send({ type: 'remote-response', requestId, success: false, error: frameErrors[code], code });
  }

  function handle(socket: ClientSocket, data: Buffer, isBinary: boolean): void {
    socket.quietRounds = 0;
    if (isBinary) {
      logFrame(socket, {}, 'socket closed: binary frame');
      return socket.close('unsupportedData');
    }
    if (data.length > limits.largeFrameBytes) {
      const verdict = judgeLargeFrame(socket, data);
      if (verdict === 'bad') return refuseBadFrame(socket, data);
      if (verdict === 'dropped') return countUnasked(socket, data, costOfDropping);
    }
    const frame = parseObject(data.toString());
    const type = frame?.['type'];
    if (!frame || typeof type !== 'string') return refuseBadFrame(socket, data, frame);
    if (type.endsWith('-result')) return receiveReply(socket, frame, data);
    // A refusal is known by the call that it names, whatever its type.
    if (isRefusal(frame) && socket.receiveReply(frame, data)) return;
    countUnasked(socket, data, costOfParsing);
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

/** A frame that no call waited for; its bytes were counted once when they came in. */
function countUnasked({ inflow }: ClientSocket, body: Buffer, cost: number): void {
  inflow.countFrame();
  inflow.countBytes(body.length * (cost - 1));
}

/** Longer texts are not sent back: an answer must not be larger than what it costs to ask. */
const maxTextLength = 8_192;

/** A short text of a frame as it came; '' for anything else, which may not even have a way to be printed. */
function textIn(frame: Record<string, unknown>, name: string): string {
  const value = frame[name];
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value);
  return text.length <= maxTextLength ? text : '';
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
