import type { BlobTaker } from './blob-filter.ts';

const headBytes = 8;

/** A message on a bulk channel. Layout: `call id u32, offset u32, bytes`, big-endian. */
export function writeChunk(callId: number, offset: number, bytes: Buffer): [head: Buffer, bytes: Buffer] {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(callId, 0);
  head.writeUInt32BE(offset, 4);
  return [head, bytes];
}

/** A chunk of a reply, or a part of one. */
export interface Chunk {
  callId: number;
  /** The place of its bytes in the body of the reply. */
  offset: number;
  /** Valid only until whoever is given the chunk returns. */
  bytes: Buffer;
  /** The length of the message, which comes with the first part of a chunk; 0 with the others. */
  messageBytes: number;
}

export function readChunk(message: Buffer): Chunk {
  return {
    callId: message.readUInt32BE(0),
    offset: message.readUInt32BE(4),
    bytes: message.subarray(headBytes),
    messageBytes: message.length,
  };
}

/** Passes a message on while it is still being read. */
export function createChunkTaker(onChunk: (chunk: Chunk) => void): BlobTaker {
  const head = Buffer.alloc(headBytes);
  let received = 0;
  let untold = 0;
  return {
    begin(bytes) {
      received = 0;
      untold = bytes;
    },
    take(part) {
      const ofHead = part.copy(head, received);
      received += ofHead;
      if (ofHead === part.length) return;
      const { callId, offset } = readChunk(head);
      const bytes = part.subarray(ofHead);
      onChunk({ callId, offset: offset + received - headBytes, bytes, messageBytes: untold });
      received += bytes.length;
      untold = 0;
    },
  };
}
