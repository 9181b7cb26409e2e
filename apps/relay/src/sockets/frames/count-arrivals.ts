import type { SocketLink } from '../client-socket.ts';
import type { FrameArrivals } from './frame-places.ts';

/** A control frame has two bytes of head and four of mask. It may stand within a frame that is not whole. */
const controlHeadBytes = 6;

/** Counts what comes over a socket, as the parts of its frames. */
export function countArrivals({ ws, transport }: SocketLink, arrivals: FrameArrivals): void {
  const onControlFrame = (payload: Buffer) => arrivals.count(-(payload.length + controlHeadBytes));
  // Before the WebSocket reads the chunk: a frame that is whole with it would be counted after its end, and keep its place.
  transport.prependListener('data', (chunk: Buffer) => arrivals.count(chunk.length));
  ws.on('ping', onControlFrame).on('pong', onControlFrame);
  ws.on('message', () => arrivals.end()).on('close', () => arrivals.end());
}
