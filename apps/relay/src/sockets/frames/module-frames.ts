import type { Streams } from '@tabletop-relay/cluster';
import type { Logger } from 'pino';
import type { AccountLimits } from '../../limits/limits.ts';
import type { Records } from '../../records/records.ts';
import type { RelayMetrics } from '../../metrics.ts';
import { createAnswerKnownClients } from './answer-known-clients.ts';
import type { ClientSocket } from '../client-socket.ts';
import { parseObject, textIn } from './frame-fields.ts';
import type { LogFrame } from './frame-log.ts';
import { costOfParsing, createFrameRefusals } from './frame-refusals.ts';
import type { ListKnownClients } from '../../worlds/known-clients.ts';
import { readFrameHead } from './frame-head.ts';
import type { FrameHead } from './frame-head.ts';
import { createLargeFrames, isPassedOn } from './large-frames.ts';
import { createRecordNotice } from './record-notice.ts';
import { createSetTabletopPause } from '../pauses/set-tabletop-pause.ts';
import type { SetTabletopPauseDeps } from '../pauses/set-tabletop-pause.ts';
import type { ServeRemoteRequests } from '../remote/serve-remote-requests.ts';
import { isRefusal } from '../replies/settle-reply.ts';
import { channelOfFrame, createTakeEvent } from './take-event.ts';

export interface ModuleFrameDeps extends Omit<SetTabletopPauseDeps, 'limits' | 'refuse'> {
  log: Logger;
  logFrame: LogFrame;
  metrics: RelayMetrics;
  knownClients: ListKnownClients;
  remoteRequests: ServeRemoteRequests;
  records: Pick<Records, 'audit' | 'auditIn' | 'countDropped'>;
  streams: Pick<Streams, 'append' | 'appendGap' | 'isWanted'>;
  limits: Pick<AccountLimits, 'moduleNotify' | 'knownClients'> & {
    /** A larger frame is parsed only when a call waits for it, or a listener. */
    largeFrameBytes: number;
    /** A larger frame is dropped, and the call that it answers fails. */
    maxFrameBytes: number;
    /** A larger event is not parsed: its listeners are told of a gap. */
    maxEventBytes: number;
  };
}

/** Handles a frame of an authenticated module. It never throws, whatever the frame contains. */
export type HandleFrame = (socket: ClientSocket, data: Buffer, isBinary: boolean) => void;

export function createFrameHandler(deps: ModuleFrameDeps): HandleFrame {
  const handle = createHandle(deps);
  return function handleFrame(socket, data, isBinary) {
    try {
      handle(socket, data, isBinary);
    } catch (error) {
      // This is a bug of the relay. Only this world is disconnected; the other worlds of the process go on.
      deps.log.error({ err: error, clientId: socket.identity.clientId }, 'a frame could not be handled');
      socket.close('temporary');
    }
  };
}

// oxlint-disable-next-line max-lines-per-function -- What each kind of frame leads to, in the order in which it is asked.
function createHandle(deps: ModuleFrameDeps): HandleFrame {
  const { logFrame, metrics, limits, remoteRequests } = deps;
  const answerKnownClients = createAnswerKnownClients(deps);
  const { refuse, refuseBadFrame } = createFrameRefusals({ metrics, logFrame });
  const recordNotice = createRecordNotice({ ...deps, refuse });
  const setTabletopPause = createSetTabletopPause({ ...deps, refuse });
  const takeEvent = createTakeEvent({ ...deps, refuse });
  const largeFrames = createLargeFrames({ ...deps, takeEvent });
  const largeBytes = Math.min(limits.largeFrameBytes, limits.maxFrameBytes);

  function receiveReply(socket: ClientSocket, frame: Record<string, unknown>, body: Buffer): void {
    if (socket.calls.receiveReply(frame, body)) return;
    countUnasked(socket, body);
    metrics.repliesDropped.inc();
    logFrame(socket, { type: frame['type'] }, 'reply dropped: no call waits for it');
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
      case 'set-pause':
        return void setTabletopPause(socket, frame);
      case 'get-known-clients':
        return void answerKnownClients(socket, requestId, (code) =>
          refuse(socket, code, { type, requestId }),
        );
      case 'remote-request':
        return remoteRequests.receive(socket, frame, body.length);
      default:
        if (channelOfFrame(type)) return takeEvent(socket, type, frame);
        // A reply of the wrong type still names its call.
        if (!socket.calls.receiveReply(frame, body)) refuse(socket, 'unknown_frame', { type, requestId });
    }
  }

  /** Whether a large frame is to be handled, by its head. Else it was settled by that, and counted. */
  function isAwaited(socket: ClientSocket, head: FrameHead, data: Buffer): boolean {
    if (!head.type && !head.requestId) {
      refuseBadFrame(socket, data);
      return false;
    }
    const verdict = largeFrames.judge(socket, head);
    if (data.length <= verdict.maxBytes) return true;
    largeFrames.drop(socket, verdict, data.length);
    return false;
  }

  return function handle(socket, data, isBinary) {
    socket.quietRounds = 0;
    if (isBinary) {
      logFrame(socket, {}, 'socket closed: binary frame');
      return socket.close('unsupportedData');
    }
    const isLarge = data.length > largeBytes;
    const head = isLarge || data.length >= passedOnFromBytes ? readFrameHead(data) : undefined;
    if (head && isLarge && !isAwaited(socket, head, data)) return;
    const frame = head && isPassedOn(socket, head) ? { ...head } : parseObject(data.toString());
    const type = frame?.['type'];
    if (!frame || typeof type !== 'string') return refuseBadFrame(socket, data, frame);
    if (type.endsWith('-result')) return receiveReply(socket, frame, data);
    // An error that names a call in flight answers it, whatever the type of the frame is.
    if (isRefusal(frame) && socket.calls.receiveReply(frame, data)) return;
    countUnasked(socket, data);
    receive(socket, type, frame, data);
  };
}

/** A smaller reply is parsed, which shows whether it is JSON. */
const passedOnFromBytes = 32 * 1024;

function countUnasked({ inflow }: ClientSocket, body: Buffer): void {
  inflow.countUnasked(body.length * costOfParsing);
}
