import { randomBytes } from 'node:crypto';

export interface SentFrame {
  opcode: number;
  payload: Buffer;
  isLast?: boolean;
  reserved?: number;
  isMasked?: boolean;
  mask?: Buffer;
  /** What the frame says of its length, where that is not true. */
  claimed?: number;
  /** A length may be written longer than it needs. */
  lengthBytes?: number;
}

/** A frame of RFC 6455 as a browser sends it, and as none does. */
export function onTheWire(frame: SentFrame): Buffer {
  const { opcode, payload, isLast = true, reserved = 0, isMasked = true, mask = randomBytes(4) } = frame;
  const length = frame.claimed ?? payload.length;
  const least = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const lengthBytes = Math.max(least, frame.lengthBytes ?? 0);
  const head = Buffer.alloc(2 + lengthBytes);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) head.writeUInt16BE(length, 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at & 3] as number))]);
}

export const textFrame = (content: string, more: Partial<SentFrame> = {}): Buffer =>
  onTheWire({ opcode: 1, payload: Buffer.from(content), ...more });

/** A message in frames of so many bytes. */
export function fragments(content: string, size: number): Buffer {
  const payload = Buffer.from(content);
  const frames: Buffer[] = [];
  for (let at = 0; at < payload.length; at += size) {
    const isLast = at + size >= payload.length;
    frames.push(onTheWire({ opcode: at === 0 ? 1 : 0, payload: payload.subarray(at, at + size), isLast }));
  }
  return Buffer.concat(frames);
}
