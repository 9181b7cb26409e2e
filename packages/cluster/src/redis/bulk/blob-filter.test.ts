import { expect, test } from 'vitest';
import { createBlobFilter } from './blob-filter.ts';

const leastBytes = 10;

/** What is taken of these bytes, and what is left for the client library, where they are read in pieces of a length. */
function read(sent: string, pieceBytes: number) {
  const taken: string[] = [];
  const filter = createBlobFilter(leastBytes, {
    begin: (bytes) => void taken.push(`${bytes}:`),
    take: (part) => void (taken[taken.length - 1] += String(part)),
  });
  const bytes = Buffer.from(sent);
  // One buffer is read into again and again.
  const buffer = Buffer.alloc(pieceBytes);
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const length = bytes.copy(buffer, 0, at);
    kept.push(filter(buffer.subarray(0, length)));
  }
  return { taken, rest: String(Buffer.concat(kept)) };
}

const message = (payload: string) =>
  `>3\r\n$7\r\nmessage\r\n$4\r\nbulk\r\n$${Buffer.byteLength(payload)}\r\n${payload}\r\n`;

const everyPiece = Array.from({ length: 80 }, (_, index) => index + 1);

test.each<[what: string, sent: string, taken: string[], rest: string]>([
  ['a large message', message('0123456789'), ['10:0123456789'], message('')],
  [
    'two of them, one with ends of lines and what looks like a blob',
    message('0123456789') + message('$20\r\n\r\n\n\r$30\r\n'),
    ['10:0123456789', '14:$20\r\n\r\n\n\r$30\r\n'],
    message('') + message(''),
  ],
  ['a small message', message('012345678'), [], message('012345678')],
  ['an empty one', message(''), [], message('')],
  [
    'a small one with an end of line and what looks like a large blob',
    message('\n$99\r\n'),
    [],
    message('\n$99\r\n'),
  ],
  [
    'other answers',
    '+OK\r\n:1000\r\n-ERR $20\r\n$-1\r\n*-1\r\n_\r\n,1.5\r\n',
    [],
    '+OK\r\n:1000\r\n-ERR $20\r\n$-1\r\n*-1\r\n_\r\n,1.5\r\n',
  ],
  [
    'a large text with its format',
    '=14\r\ntxt:0123456789\r\n:1\r\n',
    ['14:txt:0123456789'],
    '$0\r\n\r\n:1\r\n',
  ],
])('%s: what is large is taken and left empty, however it is read', (_what, sent, taken, rest) => {
  for (const pieceBytes of everyPiece) expect(read(sent, pieceBytes)).toEqual({ taken, rest });
});
