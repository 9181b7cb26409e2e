import type { Streams } from '@tabletop-relay/cluster';
import type { RelayMetrics } from '../../metrics.ts';
import type { ClientSocket } from '../client-socket.ts';
import { readFrameHead } from './frame-head.ts';
import type { FrameHead } from './frame-head.ts';
import type { LogFrame } from './frame-log.ts';
import type { ServeRemoteRequests } from '../remote/serve-remote-requests.ts';
import { channelOfFrame } from './take-event.ts';

/**
 * Looks at a large frame before it is parsed, because parsing 15 MB blocks all worlds of this instance for 250 ms.
 * - `awaited`: the frame names a call in flight. Whether it answers that call is known only when it is parsed.
 * - `event`: somebody listens to its channel.
 * - `asking`: the frame asks another world, and is no larger than a call over HTTP may be.
 * - `dropped`: no call waits for the frame. It was counted.
 * - `bad`: the frame is not a JSON object with a type.
 */
export type JudgeLargeFrame = (
  socket: ClientSocket,
  body: Buffer,
) => 'awaited' | 'event' | 'asking' | 'dropped' | 'bad';

export interface JudgeDeps {
  metrics: RelayMetrics;
  logFrame: LogFrame;
  streams: Pick<Streams, 'isWanted'>;
  remoteRequests: ServeRemoteRequests;
}

export function createJudgeLargeFrame(deps: JudgeDeps): JudgeLargeFrame {
  const { remoteRequests } = deps;
  return function judgeLargeFrame(socket, body) {
    const { calls } = socket;
    const isEnough = ({ type, requestId }: FrameHead) => {
      if (channelOfFrame(type) !== undefined) return true;
      if (requestId !== undefined) return type !== undefined || calls.get(requestId) !== undefined;
      return type !== undefined && type !== 'remote-request' && calls.size === 0;
    };
    const head = readFrameHead(body, isEnough);
    if (head?.type === undefined && head?.requestId === undefined) return 'bad';
    const { type, requestId } = head;
    const channel = channelOfFrame(type);
    if (channel && deps.streams.isWanted(socket.conn, channel)) return 'event';
    if (requestId !== undefined && !channel && calls.get(requestId)) return 'awaited';
    if (type === 'remote-request') {
      if (body.length <= remoteRequests.maxBytes) return 'asking';
      remoteRequests.refuseLarge(socket, requestId ?? '');
    }
    deps.metrics.largeFramesDropped.inc();
    const fields = { type: type?.slice(0, 100), bytes: body.length };
    deps.logFrame(socket, fields, 'large frame dropped: no call waits for it');
    return 'dropped';
  };
}
