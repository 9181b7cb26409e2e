import type { WebSocket } from 'ws';
import type { ClientSocket, SocketLink } from '../../client-socket.ts';
import { countArrivals } from '../count-arrivals.ts';
import type { FramePlaces } from '../frame-places.ts';
import type { LargeFrameVerdict } from '../large-frames.ts';
import type { HandleFrame } from '../module-frames.ts';
import type { MessageLimits } from './large-message.ts';
import { LargeReader } from './large-reader.ts';
import type { FrameReceiver } from './large-reader.ts';

/** Follows the frames of a new connection, so that it is known later where one begins. `ws` gets them all. */
export function followFrames(ws: WebSocket, limits: MessageLimits): LargeReader<LargeFrameVerdict> {
  // All that comes over the connection is written to it, also what is left when the connection closes.
  const { _receiver } = ws as unknown as { _receiver: FrameReceiver };
  return new LargeReader(_receiver, limits);
}

/** Takes the large messages of an admitted module past its WebSocket, which emits those that are kept like all others. */
export function readLarge(
  reader: LargeReader<LargeFrameVerdict>,
  { socket, link }: { socket: ClientSocket; link: SocketLink },
  { framePlaces, handleFrame }: { framePlaces: FramePlaces; handleFrame: HandleFrame },
): void {
  const arrivals = framePlaces.arrivalsOf(socket);
  countArrivals(link, arrivals);
  reader.begin({
    judge: (part) => handleFrame.judgePart(socket, part),
    take: (message) => link.ws.emit('message', message, false),
    skipped(verdict, bytes) {
      arrivals.end();
      handleFrame.drop(socket, verdict, bytes);
    },
  });
  link.ws.on('close', () => reader.stop());
}
