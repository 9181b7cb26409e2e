import type { Streams } from '@tabletop-relay/cluster';
import type { Channel } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import { ProblemError } from '../../problem.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { FrameHead } from './frame-head.ts';
import { inWords } from './frame-sizes.ts';
import type { LogFrame } from './frame-log.ts';
import type { ServeRemoteRequests } from '../remote/serve-remote-requests.ts';
import { channelOfFrame } from './take-event.ts';
import type { TakeEvent } from './take-event.ts';

/**
 * What the head of a large frame says about it. It is handled up to `maxBytes`:
 * - a reply that a call in flight waits for, up to `maxFrameBytes` where it is passed on as it came, else up to 1 MiB.
 * - an event that somebody listens to, and a request to another world, up to their own limits.
 * - not at all, where no call waits for it.
 */
export interface LargeFrameVerdict {
  readonly maxBytes: number;
  readonly head: FrameHead;
  /** The call in flight that it names. */
  readonly callId?: string;
  /** Set for an event that somebody listens to. */
  readonly channel?: Channel;
}

/** Decides on large frames before they are parsed, because parsing 15 MB blocks all worlds of this instance for 250 ms. */
export interface LargeFrames {
  judge(socket: ClientSocket, head: FrameHead): LargeFrameVerdict;
  /** Counts a frame that is larger than its verdict allows, and fails the call that it names. */
  drop(socket: ClientSocket, verdict: LargeFrameVerdict, bytes: number): void;
}

export interface LargeFramesDeps {
  metrics: RelayMetrics;
  logFrame: LogFrame;
  streams: Pick<Streams, 'isWanted'>;
  remoteRequests: ServeRemoteRequests;
  takeEvent: TakeEvent;
  limits: { maxFrameBytes: number; maxEventBytes: number };
}

/** A frame that no call waited for counts as a multiple of its bytes, by the processor time that it takes. */
const costOfDropping = 2;
/** A larger reply is passed on as it came or not at all: to parse 16 MiB of `[],[],...` takes two seconds, in which all worlds stand still. */
const maxParsedReplyBytes = 1_048_576;

/** Whether a reply needs no parsing: its head says all, and its caller gets its bytes as they came. */
export function isPassedOn({ calls }: ClientSocket, { type, requestId, hasError }: FrameHead): boolean {
  if (!type?.endsWith('-result') || !requestId || hasError) return false;
  return !calls.get(requestId)?.operation.adaptResult;
}

export function createLargeFrames(deps: LargeFramesDeps): LargeFrames {
  const { metrics, logFrame, streams, remoteRequests, takeEvent } = deps;
  const { maxFrameBytes, maxEventBytes } = deps.limits;

  function judge(socket: ClientSocket, head: FrameHead): LargeFrameVerdict {
    const { type, requestId } = head;
    const channel = channelOfFrame(type);
    if (channel) {
      const isWanted = streams.isWanted(socket.conn, channel);
      return isWanted ? { head, channel, maxBytes: maxEventBytes } : { head, maxBytes: 0 };
    }
    if (requestId !== undefined && socket.calls.get(requestId)) {
      const maxBytes = isPassedOn(socket, head)
        ? maxFrameBytes
        : Math.min(maxFrameBytes, maxParsedReplyBytes);
      return { head, callId: requestId, maxBytes };
    }
    return { head, maxBytes: type === 'remote-request' ? remoteRequests.maxBytes : 0 };
  }

  /** The call that is answered by a frame above the limit alone fails, and all others go on. */
  function failCall(socket: ClientSocket, requestId: string, bytes: number): void {
    const detail =
      bytes > maxFrameBytes
        ? `The world’s answer is larger than ${inWords(maxFrameBytes)}. Ask for less.`
        : `The world’s answer is larger than ${inWords(maxParsedReplyBytes)}, and not written so that it can be passed on as it came. Ask for less.`;
    const problem = new ProblemError('client_bad_reply', detail, { requestId, retryable: false });
    socket.calls.take(requestId)?.reject(problem);
  }

  return {
    judge,
    drop(socket, { head: { type, requestId }, channel, callId }, bytes) {
      const fields = { type: type?.slice(0, 100), bytes };
      if (channel) takeEvent.tooLarge(socket, channel);
      else {
        metrics.largeFramesDropped.inc();
        // Bytes that a call waited for hold up nobody, as of any other answer.
        if (callId !== undefined) {
          failCall(socket, callId, bytes);
          return logFrame(socket, fields, 'large frame dropped: no answer may be so large');
        }
        if (type === 'remote-request') remoteRequests.refuseLarge(socket, requestId ?? '');
        logFrame(socket, fields, 'large frame dropped: no call waits for it');
      }
      socket.inflow.countUnasked(bytes * costOfDropping);
    },
  };
}
