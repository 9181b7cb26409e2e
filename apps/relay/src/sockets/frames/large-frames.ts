import { channels } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import type { ClientSocket } from '../client-socket.ts';
import { readFrameHead } from './frame-head.ts';
import type { FrameHead } from './frame-head.ts';
import type { LogFrame } from './frame-log.ts';

const eventFrames = new Set<string>(Object.values(channels).map((channel) => channel.frame));

/** Nobody listens to events yet: they are accepted and go nowhere. */
export function isEventFrame(type: string | undefined): boolean {
  return type !== undefined && eventFrames.has(type);
}

/**
 * Looks at a large frame before it is parsed: parsing 15 MB stops all worlds of this instance for a quarter of a second.
 * - `awaited`: it names a call in flight. Only parsing it tells whether it is that call's answer.
 * - `dropped`: nobody waits for it. It was counted.
 * - `bad`: it is no JSON object with a type.
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
    deps.logFrame(socket, fields, 'large frame dropped: nobody waits for it');
    return 'dropped';
  };
}
