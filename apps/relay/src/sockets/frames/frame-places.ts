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
  place: 'none' | 'awaited' | 'taken';
  deadline?: NodeJS.Timeout;
}

export function createFramePlaces(options: FramePlacesOptions): FramePlaces {
  const { largeFrameBytes, frameMs } = options;
  const waiting = new Set<Arrival>();
  const places = createPlaces(options.places);

  const watch = (arrival: Arrival): void => {
    arrival.deadline = setTimeout(() => {
      if (arrival.source.inflow.isHeld) watch(arrival);
      else arrival.source.giveUpFrame();
    }, frameMs);
  };

  const take = (arrival: Arrival): void => {
    places.take(arrival.source.identity.accountId);
    arrival.place = 'taken';
    watch(arrival);
  };

  const leave = (arrival: Arrival): void => {
    const { place, source } = arrival;
    arrival.place = 'none';
    if (place === 'awaited' && waiting.delete(arrival)) source.inflow.free('frames');
    if (place !== 'taken') return;
    clearTimeout(arrival.deadline);
    places.giveBack(source.identity.accountId);
    for (const next of waiting) {
      if (!places.isFree(next.source.identity.accountId)) continue;
      waiting.delete(next);
      take(next);
      next.source.inflow.free('frames');
    }
  };

  const wait = (arrival: Arrival): void => {
    arrival.place = 'awaited';
    waiting.add(arrival);
    arrival.source.inflow.hold('frames');
  };

  return {
    arrivalsOf(source) {
      const arrival: Arrival = { source, bytes: 0, place: 'none' };
      return {
        count(bytes) {
          arrival.bytes += bytes;
          if (arrival.place !== 'none' || arrival.bytes <= largeFrameBytes) return;
          if (places.isFree(source.identity.accountId)) take(arrival);
          else wait(arrival);
        },
        end() {
          arrival.bytes = 0;
          if (arrival.place !== 'none') leave(arrival);
        },
      };
    },
  };
}

/** The places of an instance. One account gets half of them at most. */
function createPlaces(all: number) {
  const byAccount = new Map<string, number>();
  let taken = 0;
  const add = (accountId: string, change: 1 | -1): void => {
    const own = (byAccount.get(accountId) ?? 0) + change;
    if (own === 0) byAccount.delete(accountId);
    else byAccount.set(accountId, own);
    taken += change;
  };
  return {
    isFree: (accountId: string) =>
      taken < all && (byAccount.get(accountId) ?? 0) < Math.max(1, Math.floor(all / 2)),
    take: (accountId: string) => add(accountId, 1),
    giveBack: (accountId: string) => add(accountId, -1),
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
