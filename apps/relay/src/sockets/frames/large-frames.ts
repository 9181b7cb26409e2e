import type { Streams } from '@tabletop-relay/cluster';
import type { Channel } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import type { ClientSocket } from '../client-socket.ts';
import { readFrameHead } from './frame-head.ts';
import type { FrameHead } from './frame-head.ts';
import type { LogFrame } from './frame-log.ts';
import type { ServeRemoteRequests } from '../remote/serve-remote-requests.ts';
import { channelOfFrame } from './take-event.ts';
import type { TakeEvent } from './take-event.ts';
import type { Verdict } from './wire/large-message.ts';

/**
 * What the head of a large frame says about it. It is read up to `maxBytes`:
 * - any size, where it names a call in flight. Whether it answers that call is known only when it is parsed.
 * - an event that somebody listens to, and a request to another world, up to their own limits.
 * - not at all, where no call waits for it.
 */
export interface LargeFrameVerdict extends Verdict {
  readonly head: FrameHead;
  /** Set for an event that somebody listens to. */
  readonly channel?: Channel;
}

/** Decides on large frames before they are parsed, because parsing 15 MB blocks all worlds of this instance for 250 ms. */
export interface LargeFrames {
  /** Of a whole frame. Undefined: it is not a JSON object with a type. */
  judge(socket: ClientSocket, text: Buffer): LargeFrameVerdict | undefined;
  /**
   * Of the first part of a frame. Undefined: that decides nothing. A verdict is final, the rest of the frame would not change it: it says
   * that nobody waits only where it has the requestId, and an id is used once.
   */
  judgePart(socket: ClientSocket, part: Buffer): LargeFrameVerdict | undefined;
  /** Counts a frame that is larger than its verdict allows. */
  drop(socket: ClientSocket, verdict: LargeFrameVerdict, bytes: number): void;
}

export interface LargeFramesDeps {
  metrics: RelayMetrics;
  logFrame: LogFrame;
  streams: Pick<Streams, 'isWanted'>;
  remoteRequests: ServeRemoteRequests;
  takeEvent: TakeEvent;
  maxEventBytes: number;
}

/** A frame that no call waited for counts as a multiple of its bytes, by the processor time that it takes. */
const costOfDropping = 2;

export function createLargeFrames(deps: LargeFramesDeps): LargeFrames {
  const { metrics, logFrame, streams, remoteRequests, takeEvent, maxEventBytes } = deps;

  function judge(socket: ClientSocket, text: Buffer, isWhole: boolean): LargeFrameVerdict | undefined {
    const { calls } = socket;
    const isEnough = ({ type, requestId }: FrameHead) => {
      if (channelOfFrame(type) !== undefined) return true;
      if (requestId !== undefined) return type !== undefined || calls.get(requestId) !== undefined;
      // Of a part this would not be final: a call may begin, and its id be in the rest.
      return isWhole && type !== undefined && type !== 'remote-request' && calls.size === 0;
    };
    const head = readFrameHead(text, isEnough);
    if (head?.type === undefined && head?.requestId === undefined) return undefined;
    const { type, requestId } = head;
    const channel = channelOfFrame(type);
    if (channel) {
      const isWanted = streams.isWanted(socket.conn, channel);
      return isWanted ? { head, channel, maxBytes: maxEventBytes } : { head, maxBytes: 0 };
    }
    if (requestId !== undefined && calls.get(requestId)) return { head, maxBytes: Infinity };
    return { head, maxBytes: type === 'remote-request' ? remoteRequests.maxBytes : 0 };
  }

  return {
    judge: (socket, text) => judge(socket, text, true),
    judgePart: (socket, part) => judge(socket, part, false),
    drop(socket, { head: { type, requestId }, channel }, bytes) {
      if (channel) takeEvent.tooLarge(socket, channel);
      else {
        if (type === 'remote-request') remoteRequests.refuseLarge(socket, requestId ?? '');
        metrics.largeFramesDropped.inc();
        const fields = { type: type?.slice(0, 100), bytes };
        logFrame(socket, fields, 'large frame dropped: no call waits for it');
      }
      socket.inflow.countUnasked(bytes * costOfDropping);
    },
  };
}
