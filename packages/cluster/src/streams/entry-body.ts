import type { Entry, EntryKind } from './stream-store.ts';

/** Kinds by their byte. The scripts write `gap`, `offline` and `online` too. */
export const kindBytes = { event: 0, gap: 1, offline: 2, online: 3 } as const satisfies Record<
  EntryKind,
  number
>;
const kindsByByte = Object.keys(kindBytes) as EntryKind[];

/** An entry as stores keep it: kind u8, length of src u8, seq f64 big-endian, src, body. */
export function packEntry(conn: string, { kind, seq, body }: Pick<Entry, 'kind' | 'seq' | 'body'>): Buffer {
  const src = Buffer.from(conn, 'latin1');
  const packed = Buffer.allocUnsafe(headBytes + src.length + body.length);
  packed[0] = kindBytes[kind];
  packed[1] = src.length;
  packed.writeDoubleBE(seq, 2);
  src.copy(packed, headBytes);
  body.copy(packed, headBytes + src.length);
  return packed;
}

export function unpackEntry(n: number, at: number, packed: Buffer): Entry {
  const bodyAt = headBytes + (packed[1] ?? 0);
  return {
    n,
    at,
    kind: kindsByByte[packed[0] ?? 0] ?? 'event',
    seq: packed.readDoubleBE(2),
    src: packed.toString('latin1', headBytes, bodyAt),
    body: packed.subarray(bodyAt),
  };
}

const headBytes = 10;
