import { partsOf, readMessage } from '../../message.ts';
import { unpackEntry } from '../../streams/stream-store.ts';
import type { Entry, Head } from '../../streams/stream-store.ts';

/** Reads what a script publishes of a stream. Undefined for anything else. */
export function readNews(bytes: Buffer): { gen: string; entries: Entry[] } | undefined {
  const message = readMessage(bytes);
  if (message?.kind !== 'news') return undefined;
  const { gen, entries: told, body } = message;
  const bodies = [
    ...partsOf(
      body,
      told.map((entry) => entry.bytes),
    ),
  ];
  return { gen, entries: told.map(({ n, at }, index) => unpackEntry(n, at, bodies[index]!)) };
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
