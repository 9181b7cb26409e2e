import { vi } from 'vitest';
import type { Entry, Head, StreamStore } from '../../src/streams/stream-store.ts';
import { openTap } from '../../src/streams/tap.ts';

const stream = { clientId: 'client', channel: 'rolls' };

export const entry = (n: number, changed: Partial<Entry> = {}): Entry => ({
  n,
  kind: 'event',
  at: 0,
  src: 'conn',
  seq: n,
  body: Buffer.from(`event ${n}`),
  ...changed,
});

export const headAt = (n: number, changed: Partial<Head> = {}): Head => ({
  gen: 'g1', n, isOnline: true, src: 'conn', seq: n, owner: '', ...changed,
}); // prettier-ignore

/** A store whose stream is what the test says, and a tap that has followed it up to `head`. */
export async function followTo(head: Head) {
  let hear: (gen: string, entries: Entry[]) => void = () => {};
  let stored: { head: Head; entries: Entry[] } = { head, entries: [] };
  const stopWatching = vi.fn<() => void>();
  const read = vi.fn<StreamStore['read']>((_stream, after) => {
    const isSame = after?.gen === stored.head.gen;
    const entries = stored.entries.filter(({ n }) => !isSame || n > after.n);
    return Promise.resolve({ head: { ...stored.head }, entries, now: 0 });
  });
  const store = {
    read,
    head: () => Promise.resolve({ ...head }),
    watch: (_stream: unknown, own: typeof hear) => {
      hear = own;
      return Promise.resolve(stopWatching);
    },
  } as unknown as StreamStore;
  const tap = await openTap(store, stream);
  const told: string[] = [];
  const remove = tap.add(({ n, ...message }) => {
    const what = message.kind === 'event' ? String(message.event) : message.kind;
    told.push(message.kind === 'gap' ? `gap of ${String(message.dropped)} up to ${n}` : what);
  });
  return {
    tap,
    told,
    remove,
    read,
    stopWatching,
    live: (entries: Entry[], gen = 'g1') => hear(gen, entries),
    has: (changed: Head, entries: Entry[]) => void (stored = { head: changed, entries }),
    settled: () => new Promise(setImmediate),
  };
}
