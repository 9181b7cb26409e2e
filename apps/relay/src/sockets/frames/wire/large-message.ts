import { freeBuffer } from '@tabletop-relay/cluster';
import { isUtf8 } from 'node:buffer';
import { unmask } from './unmask.ts';

/** What the first part of a large message says about it. */
export interface Verdict {
  /** A larger message is thrown away as it arrives. */
  readonly maxBytes: number;
}

/** Takes the messages that are kept from `ws`, in the order in which they and those of `ws` were sent. */
export interface LargeTaker<V extends Verdict> {
  /** Called once for a large message, with its first part. Undefined where that decides nothing: then the message is kept. */
  judge(part: Buffer): V | undefined;
  /** A message of any size, whole. */
  take(message: Buffer): void;
  /** The end of a message that was thrown away. */
  skipped(verdict: V, bytes: number): void;
}

export interface MessageLimits {
  /** A larger message may be judged before it is whole. While it is read it has one of few places. */
  largeFrameBytes: number;
  maxFrameBytes: number;
}

/** A message is judged by so much of its text, or by less where large ones are smaller. */
const judgedBytes = 64 * 1024;

/** One message as it arrives. Its parts are unmasked and put in their place one by one, so that no turn is long. */
export class LargeMessage<V extends Verdict> {
  /** Bytes of the frames that have begun. */
  announced = 0;
  /** Frames that have begun. */
  frames = 0;
  #bytes = 0;
  /** Up to here what came is text. */
  #checked = 0;
  #isText = true;
  #isLast = false;
  #mask: Buffer = nothing;
  #room: Buffer = nothing;
  #isJudged = false;
  #verdict: V | undefined;
  #isSkipped = false;
  readonly #taker: LargeTaker<V>;
  readonly #limits: MessageLimits;

  constructor(taker: LargeTaker<V>, limits: MessageLimits) {
    this.#taker = taker;
    this.#limits = limits;
  }

  /** A frame of the message begins. */
  begin(frame: { length: number; isLast: boolean }, mask: Buffer): void {
    this.frames++;
    this.announced += frame.length;
    this.#isLast = frame.isLast;
    // A copy, because a part of the chunk would keep all of it.
    this.#mask = Buffer.from(mask);
  }

  /** The next bytes of the frame that has begun last. */
  add(part: Buffer): void {
    const { length } = part;
    if (!this.#isSkipped && length > 0) {
      this.#makeRoom(this.#bytes + length);
      unmask(part, this.#mask, this.#room, this.#bytes, length);
      if ((length & 3) !== 0) this.#mask = turned(this.#mask, length);
    }
    this.#bytes += length;
    if (this.#isSkipped) return;
    this.#check(endOfCharacters(this.#room, this.#bytes));
    this.#skipUnlessWanted();
  }

  /** All of the message has come. False: it is no text. */
  end(): boolean {
    if (this.#verdict && this.#isSkipped) {
      this.#taker.skipped(this.#verdict, this.#bytes);
      return true;
    }
    this.#check(this.#bytes);
    if (this.#isText) this.#taker.take(this.#room.subarray(0, this.#bytes));
    return this.#isText;
  }

  /** Frees what has come. */
  letGo(): void {
    freeBuffer(this.#room);
    this.#room = nothing;
  }

  /** Part by part, because 15 MB at once take more than a millisecond. */
  #check(end: number): void {
    if (end <= this.#checked) return;
    this.#isText &&= isUtf8(this.#room.subarray(this.#checked, end));
    this.#checked = end;
  }

  #skipUnlessWanted(): void {
    const { largeFrameBytes } = this.#limits;
    const isWhole = this.#isLast && this.#bytes === this.announced;
    const enough = Math.min(judgedBytes, largeFrameBytes);
    // The whole message is judged by whoever takes it.
    if (!this.#isJudged && !isWhole && this.announced > largeFrameBytes && this.#bytes >= enough) {
      this.#isJudged = true;
      this.#verdict = this.#taker.judge(this.#room.subarray(0, Math.min(judgedBytes, this.#bytes)));
    }
    if (!this.#verdict || this.announced <= this.#verdict.maxBytes) return;
    this.#isSkipped = true;
    this.letGo();
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#room.length) return;
    const room = Buffer.allocUnsafeSlow(this.#roomFor(bytes));
    this.#room.copy(room, 0, 0, this.#bytes);
    freeBuffer(this.#room);
    this.#room = room;
  }

  /**
   * A message that announces 15 MB and sends nothing must not take 15 MB. So the room grows with what has come, until that is more than
   * a small frame has: then the message has one of few places. From there on the room grows in few steps, because each of them copies
   * what is there to memory that the kernel has yet to clear. For 4 MB that takes one to three milliseconds.
   */
  #roomFor(bytes: number): number {
    const { announced } = this;
    const { largeFrameBytes, maxFrameBytes } = this.#limits;
    const most = this.#isLast ? announced : maxFrameBytes;
    if (this.#bytes <= largeFrameBytes) return Math.min(most, 2 * bytes);
    const step = [maxFrameBytes / 16, maxFrameBytes / 4].find((step) => step >= announced);
    return Math.min(most, Math.ceil(step ?? maxFrameBytes));
  }
}

const nothing = Buffer.alloc(0);

/** Where the last character begins whose end may not have come yet. */
function endOfCharacters(text: Buffer, bytes: number): number {
  for (let at = bytes - 1; at >= 0 && at >= bytes - 3; at--) {
    const byte = text[at] as number;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return at;
  }
  return bytes;
}

/** The mask for what follows so many bytes. */
function turned(mask: Buffer, bytes: number): Buffer {
  return Buffer.from(mask.map((_byte, at) => mask[(at + bytes) & 3] as number));
}
