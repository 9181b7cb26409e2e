/** A command frame as the ROUTE script makes it of the part that the asker wrote. */
export function asRouted(epoch: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rest.length + 9, 0);
  head[4] = 1;
  head.writeDoubleBE(epoch, 5);
  return Buffer.concat([head, rest]);
}
