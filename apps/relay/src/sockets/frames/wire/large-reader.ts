import {
  continuation,
  emptyFragments,
  invalidText,
  isOneTextFrame,
  maskBytes,
  readFrameStart,
  startOfText,
} from './frame-start.ts';
import type { FrameStart } from './frame-start.ts';
import { LargeMessage } from './large-message.ts';
import type { LargeTaker, MessageLimits, Verdict } from './large-message.ts';

/** Frames that one message may come in. Browsers cut one of 15 MB into some hundred. */
export const maxFragments = 16_384;

/** The part of `ws` that reads frames. */
export interface FrameReceiver {
  write(chunk: Buffer): boolean;
  /** Set as soon as a frame was refused. The WebSocket learns of it later. */
  readonly errored?: unknown;
}

/**
 * Why reading ends. `odd`: the next frame goes to `ws`, and so does all that follows. `too long`: with it the message is larger than any
 * may be. `cut`: more must come until the next frame can be told.
 */
type Stop = 'odd' | 'too long' | 'cut';

/**
 * Stands in front of `ws` and keeps large text messages from it: one frame above `largeFrameBytes`, or any message of several frames,
 * because half of a message is no use to `ws`. `ws` keeps the chunks of a frame until it is whole and joins them in one turn of the event
 * loop, in which all other worlds of the instance stand still: for 5 to 10 ms at 15 MB. Here each chunk is unmasked as it comes, and
 * nothing is kept of a message that nobody waits for.
 *
 * Everything else goes to `ws` as it came. Nothing is refused here: what is odd goes to `ws`, after frames that bring it to where it
 * would be, and `ws` closes the socket. So nothing is taken that `ws` would not take.
 */
export class LargeReader<V extends Verdict> {
  readonly #receiver: FrameReceiver;
  readonly #pass: (chunk: Buffer) => boolean;
  readonly #limits: MessageLimits;
  readonly #maxFragments: number;
  #taker: LargeTaker<V> | undefined;
  /** The next byte begins a frame, and no message has begun here. */
  #isBetweenMessages = true;
  /** `ws` gets all that comes. */
  #isOver = false;
  /** The start of a frame that has not come as far as is needed. */
  #cut: Buffer | undefined;
  /** Bytes that have not come of the frame that has begun. */
  #left = 0;
  /** Whether that frame is part of `#message`. */
  #isOurs = false;
  /** Whether it is the last frame of its message. */
  #isLast = false;
  /** The message that has begun here. */
  #message: LargeMessage<V> | undefined;
  /** `ws` has frames of a message and waits for its last one. */
  #isFragmentedAtWs = false;

  /** To be made before the first byte comes: later nobody could tell where a frame begins. */
  constructor(receiver: FrameReceiver, limits: MessageLimits, most = maxFragments) {
    this.#receiver = receiver;
    this.#limits = limits;
    this.#maxFragments = most;
    this.#pass = receiver.write.bind(receiver);
    receiver.write = (chunk) => this.#write(chunk);
  }

  /** From the next message on the large ones go to `taker`. Until then `ws` gets all. */
  begin(taker: LargeTaker<V>): void {
    this.#taker = taker;
  }

  /** Lets go of what has come: `ws` gets all that follows. */
  stop(): void {
    this.#isOver = true;
    this.#isBetweenMessages = false;
    this.#message?.letGo();
    this.#message = undefined;
  }

  #write(chunk: Buffer): boolean {
    // Nearly all chunks are such frames, so this is done with a few comparisons.
    if (this.#isBetweenMessages && chunk.length <= this.#limits.largeFrameBytes && isOneTextFrame(chunk))
      return this.#pass(chunk);
    if (this.#isOver) return this.#pass(chunk);
    return this.#read(this.#cut ? Buffer.concat([this.#cut, chunk]) : chunk);
  }

  /** False, as of a stream: the receiver has enough for now, or has refused a frame. */
  #read(chunk: Buffer): boolean {
    this.#cut = undefined;
    this.#isBetweenMessages = false;
    let isReady = true;
    /** Up to here all has gone to `ws` or to the message. */
    let done = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) {
        const frame = this.#nextFrame(chunk, at);
        if (typeof frame === 'string') {
          isReady = this.#passPart(chunk, done, at) && isReady;
          return this.#endAt(frame, chunk.subarray(at)) && isReady;
        }
        if (this.#isKept(frame)) {
          isReady = this.#passPart(chunk, done, at) && isReady;
          // What follows a frame that was refused is not read.
          if (this.#receiver.errored) return this.#giveOver();
        }
        at = this.#begin(frame, chunk, at);
        if (this.#isOurs) done = at;
      }
      const end = Math.min(chunk.length, at + this.#left);
      this.#left -= end - at;
      if (this.#isOurs) {
        if (!this.#add(chunk.subarray(at, end))) return this.#giveOver(invalidText);
        done = end;
      }
      at = end;
    }
    this.#isBetweenMessages = this.#left === 0 && !this.#message;
    return this.#passPart(chunk, done, at) && isReady;
  }

  #nextFrame(chunk: Buffer, at: number): FrameStart | Stop {
    const { maxFrameBytes } = this.#limits;
    const frame = readFrameStart(chunk, at);
    if (frame === undefined) return 'cut';
    if (frame === 'odd' || frame.length > maxFrameBytes) return 'odd';
    if (frame.isControl) return frame;
    const message = this.#message;
    const goesOn = message !== undefined || this.#isFragmentedAtWs;
    if (goesOn !== (frame.opcode === continuation)) return 'odd';
    if (message && message.announced + frame.length > maxFrameBytes) return 'too long';
    if (message?.frames === this.#maxFragments) return 'odd';
    const hasMask = at + frame.headBytes <= chunk.length;
    return hasMask || !this.#isKept(frame) ? frame : 'cut';
  }

  #isKept({ isControl, isLast, length }: FrameStart): boolean {
    if (!this.#taker || isControl || this.#isFragmentedAtWs) return false;
    return this.#message !== undefined || !isLast || length > this.#limits.largeFrameBytes;
  }

  /** Returns where the bytes begin that are still to be read. */
  #begin(frame: FrameStart, chunk: Buffer, at: number): number {
    this.#isOurs = this.#isKept(frame);
    if (this.#taker && this.#isOurs) {
      const payloadAt = at + frame.headBytes;
      this.#message ??= new LargeMessage(this.#taker, this.#limits);
      this.#message.begin(frame, chunk.subarray(payloadAt - maskBytes, payloadAt));
      this.#isLast = frame.isLast;
      this.#left = frame.length;
      return payloadAt;
    }
    if (!frame.isControl) this.#isFragmentedAtWs = !frame.isLast;
    this.#left = frame.headBytes + frame.length;
    return at;
  }

  /** False: the message has ended, and is no text. */
  #add(part: Buffer): boolean {
    const message = this.#message;
    message?.add(part);
    if (this.#left > 0 || !this.#isLast) return true;
    this.#message = undefined;
    return message?.end() ?? true;
  }

  #endAt(stop: Stop, rest: Buffer): boolean {
    if (stop === 'cut') {
      this.#cut = Buffer.from(rest);
      return true;
    }
    if (stop === 'too long') return this.#giveOver(startOfText(this.#limits.maxFrameBytes + 1));
    if (!this.#message) return this.#giveOver(rest);
    return this.#giveOver(Buffer.concat([emptyFragments(this.#message.frames), rest]));
  }

  /** `ws` gets these bytes, and then all that comes. */
  #giveOver(bytes?: Buffer): boolean {
    this.stop();
    return bytes !== undefined && this.#pass(bytes);
  }

  #passPart(chunk: Buffer, from: number, to: number): boolean {
    if (from === to) return true;
    return this.#pass(to - from === chunk.length ? chunk : chunk.subarray(from, to));
  }
}
