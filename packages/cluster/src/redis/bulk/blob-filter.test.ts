import { expect, test } from 'vitest';
import { createBlobFilter } from './blob-filter.ts';

const leastBytes = 10;

/** What is taken of these bytes, what is left for the client library, and the order of both, where they are read in pieces of a length. */
function read(sent: string, pieceBytes: number) {
  const taken: string[] = [];
  const kept: Buffer[] = [];
  const order: string[] = [];
  const filter = createBlobFilter(
    leastBytes,
    {
      begin: (bytes) => {
        taken.push(`${bytes}:`);
        order.push('taken');
      },
      take: (part) => void (taken[taken.length - 1] += String(part)),
    },
    (rest) => {
      kept.push(rest);
      order.push(String(rest));
    },
  );
  const bytes = Buffer.from(sent);
  // One buffer is read into again and again.
  const buffer = Buffer.alloc(pieceBytes);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const length = bytes.copy(buffer, 0, at);
    filter(buffer.subarray(0, length));
  }
  return { taken, rest: String(Buffer.concat(kept)), order: order.join('') };
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
  for (const pieceBytes of everyPiece) expect(read(sent, pieceBytes)).toMatchObject({ taken, rest });
});

test('a small message before a large one is told before it, and one behind it after it', () => {
  const sent = message('small') + message('0123456789') + message('late');
  const [begun, ended] = message('0123456789').split('$10\r\n0123456789') as [string, string];
  const order = `${message('small')}${begun}taken$0\r\n${ended}${message('late')}`;
  for (const pieceBytes of everyPiece) expect(read(sent, pieceBytes).order).toBe(order);
});
