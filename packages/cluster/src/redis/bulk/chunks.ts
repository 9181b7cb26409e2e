const headBytes = 8;

/** A message on a bulk channel. Layout: `call id u32, offset u32, bytes`, big-endian. */
export function writeChunk(callId: number, offset: number, bytes: Buffer): [head: Buffer, bytes: Buffer] {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(callId, 0);
  head.writeUInt32BE(offset, 4);
  return [head, bytes];
}

export function readChunk(message: Buffer): { callId: number; offset: number; bytes: Buffer } {
  return {
    callId: message.readUInt32BE(0),
    offset: message.readUInt32BE(4),
    bytes: message.subarray(headBytes),
  };
}
