import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { Budget } from '@tabletop-relay/kit';
import type { GiveBack } from '@tabletop-relay/kit';

/** How much one module may send: a burst, and a rate that it may keep up. */
export interface InflowLimits {
  bytesPerSecond: number;
  burstBytes: number;
  framesPerSecond: number;
  burstFrames: number;
  /** A module that stays above its rates for this time is disconnected. */
  patienceMs: number;
}

export interface InflowContext {
  ws: WebSocket;
  limits: InflowLimits;
  onThrottle(stage: ThrottleStage): void;
}

/**
 * The stages of throttling: a socket is not read for a while. `too long` means that the module stayed above its rates for
 * `patienceMs`; the socket is not read any more.
 */
export type ThrottleStage = 'begins' | 'goes on' | 'too long';

/**
 * `replies`: what the module answered has not left yet. `frames`: other large frames are read first. `others`: other sockets are
 * served before more is read.
 */
export type StopReason = 'replies' | 'frames' | 'others';

/** The part of the burst for frames that no call waited for. The world's answers may need the rest at the same time. */
const unaskedShare = 1 / 4;

/** Node reads a socket again as long as a read fills its buffer of this size, up to 32 times in one turn of the event loop. */
const fullReadBytes = 65_536;
/** So often in one turn. What is read is unmasked and scanned, so 2 MB of one world would keep all others waiting for some ms. */
const fullReadsPerTurn = 2;
/** And then not for so long, because the next turn may come at once: a gigabit a second is left for one module. */
const pauseMs = 1;

/** Throttling lasts until the buckets have refilled for this time. Pausing for single frames would cost more than they do. */
const shareMs = 100;

/**
 * Limits what a module may send. A module above its rates is read more slowly instead of being closed: TCP then makes it
 * wait, and its calls go on. There are three token buckets: for all bytes, and for the bytes and the number of frames that
 * no call waited for. They are refilled only when one is empty, so that a frame costs one subtraction and no reading of
 * the clock; up to two bursts may therefore follow each other. The chunk that empties a bucket, at most 64 KiB, is still
 * handled. It leaves the bucket below zero, and the module waits until the bucket is above zero again.
 */
export class Inflow {
  #bytes: number;
  #unaskedBytes: number;
  #frames: number;
  #refilledAt = performance.now();
  #isTooFast = false;
  /** In this turn of the event loop. */
  #fullReads = 0;
  readonly #stoppedFor = new Set<StopReason>();
  /** When a row of throttling began. A row ends when the module has sent below its rates for a while. */
  #tooFastSince: number | undefined;
  readonly #context: InflowContext;

  constructor(context: InflowContext) {
    this.#context = context;
    this.#bytes = context.limits.burstBytes;
    this.#unaskedBytes = unaskedShare * context.limits.burstBytes;
    this.#frames = context.limits.burstFrames;
  }

  /** The socket is not read at the moment, so its silence does not mean that the module is gone. */
  get isStopped(): boolean {
    return this.#isTooFast || this.#stoppedFor.size > 0;
  }

  /** Does not read the socket until no reason is left. */
  stop(why: StopReason): void {
    this.#stoppedFor.add(why);
    this.#context.ws.pause();
  }

  resume(why: StopReason): void {
    this.#stoppedFor.delete(why);
    if (!this.isStopped) this.#context.ws.resume();
  }

  /** Counts received bytes. */
  countBytes(bytes: number): void {
    if (bytes === fullReadBytes) this.#countFullRead();
    if ((this.#bytes -= bytes) < 0) this.#throttleUnlessRefilled();
  }

  /** Counts a frame that no call waited for, by the bytes that its work is worth. Replies are limited by their calls. */
  countUnasked(bytes: number): void {
    this.#unaskedBytes -= bytes;
    if (--this.#frames < 0 || this.#unaskedBytes < 0) this.#throttleUnlessRefilled();
  }

  #countFullRead(): void {
    if (++this.#fullReads === 1) setImmediate(() => (this.#fullReads = 0));
    if (this.#fullReads !== fullReadsPerTurn) return;
    this.stop('others');
    setTimeout(() => this.resume('others'), pauseMs);
  }

  #throttleUnlessRefilled(): void {
    const { ws, limits, onThrottle } = this.#context;
    // The admission resumes reading when its checks end, even while throttled.
    if (this.#isTooFast) return ws.pause();
    const now = performance.now();
    this.#refill(now);
    if (this.#hasShare()) this.#tooFastSince = undefined;
    if (this.#debtMs() === 0) return;
    this.#isTooFast = true;
    ws.pause();
    const since = this.#tooFastSince;
    if (since !== undefined && now - since >= limits.patienceMs) return onThrottle('too long');
    onThrottle(since === undefined ? 'begins' : 'goes on');
    this.#tooFastSince ??= now;
    setTimeout(() => this.#release(), this.#debtMs() + shareMs);
  }

  #release(): void {
    this.#refill(performance.now());
    const debtMs = this.#debtMs();
    if (debtMs > 0) {
      // The chunk that emptied the bucket had more frames, which were counted meanwhile.
      setTimeout(() => this.#release(), debtMs + shareMs);
      return;
    }
    this.#isTooFast = false;
    if (!this.isStopped) this.#context.ws.resume();
  }

  /** Whether the module has sent below its rates for a while. Then the refill is larger than that of throttling. */
  #hasShare(): boolean {
    const { bytesPerSecond, burstBytes, framesPerSecond, burstFrames } = this.#context.limits;
    const seconds = shareMs / 1_000;
    return (
      this.#bytes >= Math.min(burstBytes, seconds * bytesPerSecond) &&
      this.#unaskedBytes >= Math.min(unaskedShare * burstBytes, seconds * bytesPerSecond) &&
      this.#frames >= Math.min(burstFrames, seconds * framesPerSecond)
    );
  }

  #debtMs(): number {
    const { bytesPerSecond, framesPerSecond } = this.#context.limits;
    const bytes = Math.min(this.#bytes, this.#unaskedBytes);
    return 1_000 * Math.max(0, -bytes / bytesPerSecond, -this.#frames / framesPerSecond);
  }

  #refill(now: number): void {
    const { bytesPerSecond, burstBytes, framesPerSecond, burstFrames } = this.#context.limits;
    const seconds = (now - this.#refilledAt) / 1_000;
    this.#refilledAt = now;
    this.#bytes = Math.min(burstBytes, this.#bytes + seconds * bytesPerSecond);
    this.#unaskedBytes = Math.min(unaskedShare * burstBytes, this.#unaskedBytes + seconds * bytesPerSecond);
    this.#frames = Math.min(burstFrames, this.#frames + seconds * framesPerSecond);
  }
}

/** What a module is told that is closed for it. */
export function tooFast({ bytesPerSecond, framesPerSecond, patienceMs }: InflowLimits): string {
  return `Above ${bytesPerSecond} bytes or ${framesPerSecond} frames a second for ${patienceMs / 1_000} s`;
}

/** A module's socket, as far as the reading of its frames can be put off. */
export interface FrameSource {
  readonly identity: { accountId: string };
  readonly inflow: { readonly isStopped: boolean; stop(why: 'frames'): void; resume(why: 'frames'): void };
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
      if (arrival.source.inflow.isStopped) watch(arrival);
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

  budget.onFreed(() => {
    for (const arrival of waiting) {
      if (!take(arrival)) continue;
      waiting.delete(arrival);
      arrival.source.inflow.resume('frames');
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
          source.inflow.stop('frames');
        },
        end() {
          arrival.bytes = 0;
          if (waiting.delete(arrival)) source.inflow.resume('frames');
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
export function countArrivals(
  { ws, transport }: { ws: WebSocket; transport: Socket },
  arrivals: FrameArrivals,
): void {
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
