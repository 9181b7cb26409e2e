/** The kinds of frames of RFC 6455, section 5.2, as far as they are told apart here. */
export const continuation = 0x0;
const textOpcode = 0x1;
const ping = 0x9;
const pong = 0xa;

const final = 0x80;
const reserved = 0x70;
const masked = 0x80;
/** In place of a length: it follows in 16 or in 64 bits. */
const lengthIn16Bits = 126;
const lengthIn64Bits = 127;
export const maskBytes = 4;

/** What stands in front of a frame's payload. */
export interface FrameStart {
  opcode: number;
  /** A ping or a pong, which may stand between the frames of a message. */
  isControl: boolean;
  /** The last frame of its message, or the only one. */
  isLast: boolean;
  /** Bytes of the payload. */
  length: number;
  /** Bytes in front of it; the mask is the last four of them, and may not have come yet. */
  headBytes: number;
}

/**
 * Reads the start of a frame at `at`. Undefined: its length has not come yet. `odd`: nothing that a browser sends in the midst
 * of its messages, such as a close frame, or a frame that the protocol forbids.
 */
export function readFrameStart(chunk: Buffer, at: number): FrameStart | 'odd' | undefined {
  const have = chunk.length - at;
  if (have < 2) return undefined;
  const first = chunk[at] as number;
  const second = chunk[at + 1] as number;
  if ((first & reserved) !== 0 || (second & masked) === 0) return 'odd';
  const opcode = first & 0x0f;
  const isLast = (first & final) !== 0;
  const isControl = opcode === ping || opcode === pong;
  if (!isControl && opcode > textOpcode) return 'odd';
  const short = second & 0x7f;
  const lengthBytes = short === lengthIn16Bits ? 2 : short === lengthIn64Bits ? 8 : 0;
  if (have < 2 + lengthBytes) return undefined;
  const length = lengthBytes === 0 ? short : readLength(chunk, at + 2, lengthBytes);
  return { opcode, isControl, isLast, length, headBytes: 2 + lengthBytes + maskBytes };
}

/** A length above 2^53 is not exact, but far above what any frame may have. */
function readLength(chunk: Buffer, at: number, bytes: 2 | 8): number {
  return bytes === 2 ? chunk.readUInt16BE(at) : chunk.readUInt32BE(at) * 2 ** 32 + chunk.readUInt32BE(at + 4);
}

/** Whether the chunk is exactly one text frame of up to 64 KiB: what nearly all chunks are. */
export function isOneTextFrame(chunk: Buffer): boolean {
  if (chunk[0] !== (final | textOpcode)) return false;
  const second = chunk[1] as number;
  if (second < (masked | lengthIn16Bits)) return second >= masked && chunk.length === second - masked + 6;
  if (second !== (masked | lengthIn16Bits) || chunk.length < 8) return false;
  return chunk.length === (((chunk[2] as number) << 8) | (chunk[3] as number)) + 8;
}

/** What stands before a text of so many bytes in a frame of a server, which has no mask: a byte is a character, as in Latin-1. */
export function textFrameHead(bytes: number): string {
  if (bytes < lengthIn16Bits) return String.fromCharCode(final | textOpcode, bytes);
  const low = [(bytes >> 8) & 0xff, bytes & 0xff];
  if (bytes <= 0xffff) return String.fromCharCode(final | textOpcode, lengthIn16Bits, ...low);
  const high = [0, 0, 0, 0, (bytes >> 24) & 0xff, (bytes >> 16) & 0xff];
  return String.fromCharCode(final | textOpcode, lengthIn64Bits, ...high, ...low);
}

/** As many empty frames of one text message that goes on. */
export function emptyFragments(count: number): Buffer {
  const frames = Buffer.alloc(count * (2 + maskBytes));
  for (let at = 0; at < frames.length; at += 2 + maskBytes) {
    frames[at] = at === 0 ? textOpcode : continuation;
    frames[at + 1] = masked;
  }
  return frames;
}

/** The start of a text frame of so many bytes. */
export function startOfText(length: number): Buffer {
  const start = Buffer.alloc(10);
  start[0] = final | textOpcode;
  start[1] = masked | lengthIn64Bits;
  start.writeBigUInt64BE(BigInt(length), 2);
  return start;
}

/** A text frame with a byte that UTF-8 never has. */
export const invalidText = Buffer.from([final | textOpcode, masked | 1, 0, 0, 0, 0, 0xff]);
