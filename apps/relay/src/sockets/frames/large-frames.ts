import { channels } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import type { ClientSocket } from '../client-socket.ts';
import { readFrameHead } from './frame-head.ts';
import type { FrameHead } from './frame-head.ts';
import type { LogFrame } from './frame-log.ts';

const eventFrames = new Set<string>(Object.values(channels).map((channel) => channel.frame));

/** Events are accepted and dropped, because no caller can subscribe to them yet. */
export function isEventFrame(type: string | undefined): boolean {
  return type !== undefined && eventFrames.has(type);
}

/**
 * Looks at a large frame before it is parsed, because parsing 15 MB blocks all worlds of this instance for 250 ms.
 * - `awaited`: the frame names a call in flight. Whether it answers that call is known only when it is parsed.
 * - `dropped`: no call waits for the frame. It was counted.
 * - `bad`: the frame is not a JSON object with a type.
 */
export type JudgeLargeFrame = (socket: ClientSocket, body: Buffer) => 'awaited' | 'dropped' | 'bad';

export function createJudgeLargeFrame(deps: { metrics: RelayMetrics; logFrame: LogFrame }): JudgeLargeFrame {
  return function judgeLargeFrame(socket, body) {
    const { calls } = socket;
    const isEnough = ({ type, requestId }: FrameHead) =>
      requestId !== undefined || isEventFrame(type) || (type !== undefined && calls.size === 0);
    const head = readFrameHead(body, isEnough);
    if (head?.type === undefined && head?.requestId === undefined) return 'bad';
    const { type, requestId } = head;
    if (requestId !== undefined && !isEventFrame(type) && calls.get(requestId)) return 'awaited';
    deps.metrics.largeFramesDropped.inc();
    const fields = { type: type?.slice(0, 100), bytes: body.length };
    deps.logFrame(socket, fields, 'large frame dropped: no call waits for it');
    return 'dropped';
  };
}
