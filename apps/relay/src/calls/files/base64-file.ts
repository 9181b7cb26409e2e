/** Bytes of text that are decoded at a time: a multiple of four, so that no piece splits a group of base64. */
const pieceBytes = 256 * 1024;

const longestHead = 220;

/** What browsers make of an empty file: a data URL without a type, an encoding, or a comma. */
const emptyFile = 'data:';

/**
 * Decodes the bytes of base64 or of a `data:` URL; undefined if they are neither. It is decoded in pieces, because a file
 * as one text would be in memory once more.
 */
export function decodeFile(text: Buffer): { bytes: Buffer; type: string } | undefined {
  const head = /^data:([^,]{0,200});base64,/.exec(text.toString('latin1', 0, longestHead));
  const base64 = text.subarray(
    head ? head[0].length : text.equals(Buffer.from(emptyFile)) ? emptyFile.length : 0,
  );
  if (base64.length % 4 !== 0) return undefined;
  const bytes = Buffer.allocUnsafe((base64.length / 4) * 3 - paddingOf(base64));
  let written = 0;
  for (let at = 0; at < base64.length; at += pieceBytes)
    written += bytes.write(base64.toString('latin1', at, at + pieceBytes), written, 'base64');
  // Node skips invalid characters and then writes fewer bytes than the length of the text implies.
  return written === bytes.length ? { bytes, type: head?.[1] ?? '' } : undefined;
}

function paddingOf(base64: Buffer): number {
  const equals = '='.charCodeAt(0);
  if (base64.at(-1) !== equals) return 0;
  return base64.at(-2) === equals ? 2 : 1;
}
