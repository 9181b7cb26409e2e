import { unpackEntry } from '../../streams/entry-body.ts';
import type { Entry, Head } from '../../streams/stream-store.ts';

const genBytes = 16;
const entryHeadBytes = 20;

/** Reads what a script publishes of a stream. */
export function readNews(message: Buffer): { gen: string; entries: Entry[] } {
  const entries: Entry[] = [];
  for (let at = genBytes; at + entryHeadBytes <= message.length;) {
    const end = at + entryHeadBytes + message.readUInt32BE(at + 16);
    const packed = message.subarray(at + entryHeadBytes, end);
    entries.push(unpackEntry(message.readDoubleBE(at), message.readDoubleBE(at + 8), packed));
    at = end;
  }
  return { gen: message.toString('latin1', 0, genBytes), entries };
}

/** Reads entries as XRANGE gives them: `[id, ['t', time, 'd', entry]]`. */
export function readEntries(rows: [Buffer, Buffer[]][]): Entry[] {
  return rows.map(([id, [, at, , packed]]) =>
    unpackEntry(Number.parseInt(id.toString(), 10), Number(at?.toString()), packed ?? Buffer.alloc(0)),
  );
}

/** `on` is the conn by which the client is online; the owner stands where the script looked for it. */
export function readHead(row: readonly (Buffer | string)[]): Head {
  const [gen = '', n = '0', on = '', src = '', seq = '0', owner = ''] = row.map(String);
  return { gen, n: Number(n), isOnline: on === '?' ? undefined : on !== '', src, seq: Number(seq), owner };
}
