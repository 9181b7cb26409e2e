import { randomBytes } from 'node:crypto';
import { packEntry, unpackEntry } from '../../streams/stream-store.ts';
import type { Appended, Entry, EntryKind, Head } from '../../streams/stream-store.ts';
import type { StreamBounds, StreamId } from '../../streams/streams.ts';
import type { MemoryHub, StreamRecord } from '../memory-hub.ts';
import { ownerOf } from '../memory-hub.ts';

export const keyOf = ({ clientId, channel }: StreamId): string => `${channel} ${clientId}`;

/** The stream, which begins where there is none. */
export function openStream(hub: MemoryHub, stream: StreamId): StreamRecord {
  const key = keyOf(stream);
  const known = hub.streams.get(key);
  if (known) return known;
  const owner = ownerOf(hub, stream.clientId);
  const record: StreamRecord = {
    gen: randomBytes(12).toString('base64url'),
    n: 0,
    src: '',
    seq: 0,
    online: owner?.conn ?? '',
    bytes: 0,
    entries: [],
    hearers: hearersOf(hub, stream),
  };
  hub.streams.set(key, record);
  return record;
}

export function hearersOf(hub: MemoryHub, stream: StreamId): StreamRecord['hearers'] {
  const key = keyOf(stream);
  const hearers: StreamRecord['hearers'] = hub.streamHearers.get(key) ?? new Set();
  hub.streamHearers.set(key, hearers);
  return hearers;
}

export const headOf = ({ gen, n, src, seq, online }: StreamRecord, owner = ''): Head => ({
  gen,
  n,
  isOnline: online !== '',
  src,
  seq,
  owner,
});

/** Entries that are added to a stream and told together. */
export interface Addition {
  /** An entry that no conn brought. */
  own(kind: EntryKind, body?: string): void;
  entry(conn: string, entry: Appended): void;
  publish(): void;
}

export function addTo(record: StreamRecord, bounds: StreamBounds): Addition {
  const fresh: Entry[] = [];
  const isFull = (): boolean =>
    record.entries.length > bounds.historyEvents ||
    record.bytes > bounds.historyBytes ||
    (record.entries[0]?.at ?? Infinity) < Date.now() - bounds.historyMs;
  const add = (packed: Buffer): void => {
    record.n += 1;
    record.bytes += packed.length;
    const entry = unpackEntry(record.n, Date.now(), packed);
    fresh.push(entry);
    record.entries.push(entry);
    while (isFull()) record.bytes -= sizeOf(record.entries.shift());
  };
  return {
    own: (kind, body = '') => add(packEntry('', { kind, seq: 0, body: Buffer.from(body) })),
    entry: (conn, entry) => {
      add(packEntry(conn, entry));
      record.src = conn;
      record.seq = entry.seq;
    },
    publish: () => {
      const { gen, hearers } = record;
      if (fresh.length > 0) for (const hear of hearers) queueMicrotask(() => hear(gen, fresh));
    },
  };
}

const sizeOf = (entry: Entry | undefined): number =>
  entry ? packEntry(entry.src, { ...entry, body: Buffer.alloc(0) }).length + entry.body.length : 0;
