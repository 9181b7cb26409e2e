/** Takes the large blobs that come over one connection, in parts, as they are read. */
export interface BlobTaker {
  begin(bytes: number): void;
  /** The bytes are valid only during the call. */
  take(part: Buffer): void;
}

const newline = 10;
/** The types of RESP whose value is a length and as many bytes: `$`, `=` and `!`. */
const blobTypes = new Set(Buffer.from('$=!'));
const emptyBlob = Buffer.from('$0\r\n');
const nothing = Buffer.alloc(0);

/**
 * Gives the blobs of at least so many bytes to the taker, and a copy of the rest, in which they are empty, to `onRest`, in the
 * order in which they came. So the client library neither keeps nor joins their parts, and what was read may be overwritten.
 */
export function createBlobFilter(
  leastBytes: number,
  taker: BlobTaker,
  onRest: (rest: Buffer) => void,
): (chunk: Buffer) => void {
  /** A line whose end has not come. */
  let begun = nothing;
  /** Of a blob: the bytes that have not come, and whether they are taken. */
  let left = 0;
  let isTaken: boolean | undefined;

  function tellRest(rest: Buffer[]): void {
    if (rest.length > 0) onRest(Buffer.concat(rest));
    rest.length = 0;
  }

  function readBlob(part: Buffer, rest: Buffer[]): void {
    left -= part.length;
    if (isTaken) taker.take(part);
    else rest.push(part);
  }

  function readLine(line: Buffer, rest: Buffer[]): void {
    const length = blobTypes.has(line[0] ?? 0) ? Number(line.toString('latin1', 1)) : -1;
    isTaken = length >= leastBytes;
    // The end of line behind a blob is a line of its own.
    left = Math.max(0, length);
    if (isTaken) {
      // A small blob before it may be the part that goes before its own.
      tellRest(rest);
      taker.begin(length);
    }
    rest.push(isTaken ? emptyBlob : line);
  }

  return (chunk) => {
    const rest: Buffer[] = [];
    for (let at = 0; at < chunk.length;) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        at += part.length;
        readBlob(part, rest);
        continue;
      }
      const lineEnd = chunk.indexOf(newline, at) + 1;
      const line = Buffer.concat([begun, chunk.subarray(at, lineEnd || chunk.length)]);
      begun = lineEnd === 0 ? line : nothing;
      if (lineEnd === 0) break;
      at = lineEnd;
      readLine(line, rest);
    }
    tellRest(rest);
  };
}
