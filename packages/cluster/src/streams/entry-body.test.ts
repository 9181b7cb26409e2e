import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packEntry, unpackEntry } from './stream-store.ts';
import type { EntryKind } from './stream-store.ts';

test('an entry is read as it was packed', () => {
  const kinds = fc.constantFrom<EntryKind>('event', 'gap', 'offline', 'online');
  const conns = fc.stringMatching(/^[\w-]{0,40}$/);
  const bodies = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(kinds, conns, fc.nat(2 ** 31 - 1), bodies, (kind, src, seq, body) => {
      expect(unpackEntry(7, 1_000, packEntry(src, { kind, seq, body }))).toEqual({
        n: 7,
        at: 1_000,
        kind,
        src,
        seq,
        body,
      });
    }),
  );
});
