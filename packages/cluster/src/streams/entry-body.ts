import { readParts, writeParts } from '../message.ts';
import type { Entry } from './stream-store.ts';

type Head = Pick<Entry, 'kind' | 'src' | 'seq'>;

/** An entry as stores keep it, in the format of messages. The scripts write those of other kinds than `event` too. */
export function packEntry(src: string, { kind, seq, body }: Pick<Entry, 'kind' | 'seq' | 'body'>): Buffer {
  return writeParts({ kind, src, seq } satisfies Head, body);
}

export function unpackEntry(n: number, at: number, packed: Buffer): Entry {
  const { head, body } = readParts(packed);
  return { n, at, ...(head as Head), body };
}
