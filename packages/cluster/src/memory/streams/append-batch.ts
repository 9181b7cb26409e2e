import type { AppendOutcome, Batch } from '../../streams/stream-store.ts';
import type { StreamBounds, StreamId } from '../../streams/streams.ts';
import type { MemoryHub, OwnerRecord, StreamRecord } from '../memory-hub.ts';
import { ownerOf } from '../memory-hub.ts';
import { addTo, keyOf, openStream } from './stream-records.ts';
import type { Addition } from './stream-records.ts';

/** Appends what a conn brought, by the rules of the script of the Redis store. */
export function appendBatch(
  hub: MemoryHub,
  bounds: StreamBounds,
  stream: StreamId,
  { conn, base, entries, offline }: Batch,
): AppendOutcome {
  const owner = ownerOf(hub, stream.clientId);
  const known = hub.streams.get(keyOf(stream));
  const refusal = refusalOf(owner, conn, known?.online);
  if (refusal) return refusal;
  const record = openStream(hub, stream);
  if (!known) {
    record.src = conn;
    record.seq = base;
  }
  const addition = addTo(record, bounds);
  if (owner?.conn === conn) arrive(record, owner, addition);
  for (const entry of entries) if (record.src !== conn || entry.seq > record.seq) addition.entry(conn, entry);
  if (offline && record.online === conn) {
    addition.own('offline');
    record.online = '';
  }
  addition.publish();
  return 'appended';
}

function refusalOf(
  owner: OwnerRecord | undefined,
  conn: string,
  online: string | undefined,
): AppendOutcome | undefined {
  const before = owner?.before;
  if (owner?.conn === conn) return before && performance.now() < before.until ? 'wait' : undefined;
  if (before?.conn === conn) return undefined;
  if (owner) return 'fenced';
  return online === conn ? undefined : 'unowned';
}

/** Tells that the client is online, unless its socket only moved; then of a gap, where it was gone meanwhile. */
function arrive(record: StreamRecord, owner: OwnerRecord, addition: Addition): void {
  const { conn, previousConn, wasAway } = owner;
  if (owner.before) addition.own('gap');
  delete owner.before;
  const { online } = record;
  if (online === conn) return;
  record.online = conn;
  if (online !== '' && online === previousConn) {
    if (wasAway) addition.own('gap');
    return;
  }
  if (online !== '') addition.own('offline');
  addition.own('online');
}
