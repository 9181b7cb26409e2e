const headBytes = 8;

/** A chunk of a reply, as a message on a bulk channel. Layout: `call id u32, offset u32, bytes`, big-endian. */
export interface Chunk {
  callId: number;
  /** The place of its bytes in the body of the reply. */
  offset: number;
  bytes: Buffer;
}

export function writeChunk({ callId, offset, bytes }: Chunk): Buffer {
  const message = Buffer.allocUnsafe(headBytes + bytes.length);
  message.writeUInt32BE(callId, 0);
  message.writeUInt32BE(offset, 4);
  bytes.copy(message, headBytes);
  return message;
}

export function readChunk(message: Buffer): Chunk {
  return {
    callId: message.readUInt32BE(0),
    offset: message.readUInt32BE(4),
    bytes: message.subarray(headBytes),
  };
}
