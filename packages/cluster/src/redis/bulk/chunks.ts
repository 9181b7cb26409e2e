const headBytes = 8;

/** A message on a bulk channel. Layout: `call id u32, offset u32, bytes`, big-endian. */
export function writeChunk(callId: number, offset: number, bytes: Buffer): Buffer {
  const message = Buffer.allocUnsafe(headBytes + bytes.length);
  message.writeUInt32BE(callId, 0);
  message.writeUInt32BE(offset, 4);
  bytes.copy(message, headBytes);
  return message;
}

export function readChunk(message: Buffer): { callId: number; offset: number; bytes: Buffer } {
  return {
    callId: message.readUInt32BE(0),
    offset: message.readUInt32BE(4),
    bytes: message.subarray(headBytes),
  };
}
