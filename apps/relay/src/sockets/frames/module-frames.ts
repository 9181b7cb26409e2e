import { frameErrors } from '@tabletop-relay/contract';
import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { AccountLimits } from '../../limits/limits.ts';
import type { Records } from '../../records/records.ts';
import type { RelayMetrics } from '../../metrics.ts';
import { createAnswerKnownClients } from './answer-known-clients.ts';
import type { ClientSocket } from '../client-socket.ts';
import { parseObject, textIn } from './frame-fields.ts';
import type { LogFrame } from './frame-log.ts';
import { createFrameRefusals } from './frame-refusals.ts';
import type { ListKnownClients } from '../../worlds/known-clients.ts';
import { createJudgeLargeFrame, isEventFrame } from './large-frames.ts';
import { createRecordNotice } from './record-notice.ts';
import { isRefusal } from '../pending-calls.ts';

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

/** What no call waited for counts so many times its bytes: about as much as it takes of the processor. */
const costOfParsing = 8;
const costOfDropping = 2;

/** Handles what an authenticated module sends. Nothing in a frame can throw out of here. */
export function createFrameHandler(deps: ModuleFrameDeps) {
  const handle = createHandle(deps);
  return function handleFrame(socket: ClientSocket, data: Buffer, isBinary: boolean): void {
    try {
      handle(socket, data, isBinary);
    } catch (error) {
      // A bug of ours; the other worlds of this process must not pay for it.
      deps.log.error({ err: error, clientId: socket.identity.clientId }, 'a frame could not be handled');
      socket.close('temporary');
    }
  };
}

function createHandle(deps: ModuleFrameDeps) {
  const { logFrame, metrics, limits } = deps;
  const judgeLargeFrame = createJudgeLargeFrame({ metrics, logFrame });
  const answerKnownClients = createAnswerKnownClients(deps);
  const { refuse, refuseBadFrame } = createFrameRefusals({ metrics, logFrame });
  const recordNotice = createRecordNotice({ ...deps, refuse });

  function receiveBadFrame(socket: ClientSocket, body: Buffer, frame?: Record<string, unknown>): void {
    countUnasked(socket, body, costOfParsing);
    refuseBadFrame(socket, body, frame);
  }

  function receiveReply(socket: ClientSocket, frame: Record<string, unknown>, body: Buffer): void {
    if (socket.calls.receiveReply(frame, body)) return;
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
        if (!socket.calls.receiveReply(frame, body)) refuse(socket, 'unknown_frame', { type, requestId });
    }
  }

  function handle(socket: ClientSocket, data: Buffer, isBinary: boolean): void {
    socket.quietRounds = 0;
    if (isBinary) {
      logFrame(socket, {}, 'socket closed: binary frame');
      return socket.close('unsupportedData');
    }
    if (data.length > limits.largeFrameBytes) {
      const verdict = judgeLargeFrame(socket, data);
      if (verdict === 'bad') return receiveBadFrame(socket, data);
      if (verdict === 'dropped') return countUnasked(socket, data, costOfDropping);
    }
    const frame = parseObject(data.toString());
    const type = frame?.['type'];
    if (!frame || typeof type !== 'string') return receiveBadFrame(socket, data, frame);
    if (type.endsWith('-result')) return receiveReply(socket, frame, data);
    // A refusal is known by the call that it names, whatever its type.
    if (isRefusal(frame) && socket.calls.receiveReply(frame, data)) return;
    countUnasked(socket, data, costOfParsing);
    receive(socket, type, frame, data);
  }

  return handle;
}

/** Requests between worlds come with a later release; the asking module is told at once. */
function refuseRemoteRequest(socket: ClientSocket, requestId: string): void {
  const code = 'not_supported' satisfies FrameErrorCode;
  socket.send({ type: 'remote-response', requestId, success: false, error: frameErrors[code], code });
}

function countUnasked({ inflow }: ClientSocket, body: Buffer, cost: number): void {
  inflow.countUnasked(body.length * cost);
}
