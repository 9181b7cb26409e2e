import { Budget } from '@tabletop-relay/kit';
import type { GiveBack } from '@tabletop-relay/kit';
import type { SocketLink } from '../client-socket.ts';

/** A module's socket, as far as the reading of its frames can be put off. */
export interface FrameSource {
  readonly identity: { accountId: string };
  readonly inflow: { readonly isHeld: boolean; hold(why: 'frames'): void; free(why: 'frames'): void };
  /** The frame that arrives took too long. */
  giveUpFrame(): void;
}

export interface FramePlacesOptions {
  /** A frame takes a place once this many bytes of it have come. */
  largeFrameBytes: number;
  /** Places of this instance. One account gets half of them at most. */
  places: number;
  /** A frame that has a place must be whole within this time. Time in which the relay does not read does not count. */
  frameMs: number;
}

/** Bounds the memory of frames that have begun and are not whole: only so many large ones are read at the same time. */
export interface FramePlaces {
  arrivalsOf(source: FrameSource): FrameArrivals;
}

/** The frames of one socket as they arrive. */
export interface FrameArrivals {
  /** Counts bytes that have come. */
  count(bytes: number): void;
  /** To be called when the frame is whole, when nothing of one has come, and when the socket has closed. */
  end(): void;
}

interface Arrival {
  readonly source: FrameSource;
  bytes: number;
  /** Set while it has a place. */
  leave?: GiveBack | undefined;
  deadline?: NodeJS.Timeout;
}

export function createFramePlaces({ largeFrameBytes, places, frameMs }: FramePlacesOptions): FramePlaces {
  const budget = new Budget(places);
  const waiting = new Set<Arrival>();

  const watch = (arrival: Arrival): void => {
    arrival.deadline = setTimeout(() => {
      if (arrival.source.inflow.isHeld) watch(arrival);
      else arrival.source.giveUpFrame();
    }, frameMs);
  };

  const take = (arrival: Arrival): boolean => {
    const { accountId } = arrival.source.identity;
    arrival.leave = budget.take([{ of: accountId, most: Math.floor(places / 2) }]);
    if (!arrival.leave) return false;
    watch(arrival);
    return true;
  };

  budget.onRoom(() => {
    for (const arrival of waiting) {
      if (!take(arrival)) continue;
      waiting.delete(arrival);
      arrival.source.inflow.free('frames');
    }
  });

  return {
    arrivalsOf(source) {
      const arrival: Arrival = { source, bytes: 0 };
      return {
        count(bytes) {
          arrival.bytes += bytes;
          if (arrival.bytes <= largeFrameBytes || arrival.leave || waiting.has(arrival) || take(arrival))
            return;
          waiting.add(arrival);
          source.inflow.hold('frames');
        },
        end() {
          arrival.bytes = 0;
          if (waiting.delete(arrival)) source.inflow.free('frames');
          clearTimeout(arrival.deadline);
          arrival.leave?.();
          arrival.leave = undefined;
        },
      };
    },
  };
}

/** A control frame has two bytes of head and four of mask. It may stand within a frame that is not whole. */
const controlHeadBytes = 6;
/** What Node keeps of a chunk beside its bytes. So a frame that comes byte by byte takes a place before it takes memory. */
const chunkHeadBytes = 256;

/**
 * Counts what comes over a socket since its last whole message: as far as that, `ws` keeps it. It keeps slices of the chunks, so what
 * comes between the parts of a message counts too.
 */
export function countArrivals({ ws, transport }: SocketLink, arrivals: FrameArrivals): void {
  /** Bytes of a message that has begun, or of a control frame. */
  let underWay = 0;
  const onEnd = () => {
    underWay = 0;
    arrivals.end();
  };
  // A world that says nothing answers pings for months: then nothing is left of the chunk.
  const onControlFrame = (payload: Buffer) => {
    underWay -= payload.length + controlHeadBytes;
    if (underWay <= 0) onEnd();
  };
  // Before the WebSocket reads the chunk: a frame that is whole with it would be counted after its end, and keep its place.
  transport.prependListener('data', (chunk: Buffer) => {
    underWay += chunk.length;
    arrivals.count(chunk.length + chunkHeadBytes);
  });
  ws.on('ping', onControlFrame).on('pong', onControlFrame);
  ws.on('message', onEnd).on('close', onEnd);
}
