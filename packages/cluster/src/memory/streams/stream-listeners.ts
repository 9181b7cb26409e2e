import type { Head, Listeners } from '../../streams/stream-store.ts';
import type { StreamBounds, StreamId } from '../../streams/streams.ts';
import type { MemoryHub } from '../memory-hub.ts';
import { ownerOf } from '../memory-hub.ts';
import { addTo, headOf, keyOf, openStream } from './stream-records.ts';

/** Says how many on an instance listen to a stream, and ends the presence of a client without an owner. */
export function checkStream(
  { hub, boot, bounds }: { hub: MemoryHub; boot: string; bounds: StreamBounds },
  stream: StreamId & { count: number },
): Head {
  const record = openStream(hub, stream);
  const owner = ownerOf(hub, stream.clientId);
  if (!owner && record.online !== '') {
    const addition = addTo(record, bounds);
    addition.own('offline');
    record.online = '';
    addition.publish();
  }
  const isNews = setListeners(hub, boot, stream, performance.now() + bounds.lingerMs);
  if (owner && isNews) hub.streamEvents.get(owner.boot)?.(stream, listenersOf(hub, stream));
  return headOf(record, owner?.boot);
}

function setListeners(
  hub: MemoryHub,
  boot: string,
  stream: StreamId & { count: number },
  until: number,
): boolean {
  const key = keyOf(stream);
  const { count } = stream;
  const listeners = hub.streamListeners.get(key) ?? new Map<string, { count: number; until: number }>();
  hub.streamListeners.set(key, listeners);
  const was = listeners.get(boot);
  listeners.set(boot, { count, until });
  return was === undefined || was.until <= performance.now() || was.count > 0 !== count > 0;
}

export function listenersOf(hub: MemoryHub, stream: StreamId): Listeners {
  const now = performance.now();
  const all = [...(hub.streamListeners.get(keyOf(stream))?.values() ?? [])].filter(
    ({ until }) => until > now,
  );
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    forMs: Math.max(0, ...all.map(({ until }) => until - now)),
  };
}

/** Forgets streams that nobody has listened to for as long as their history is kept. */
export function forgetIdleStreams(hub: MemoryHub): void {
  const now = performance.now();
  for (const [key, listeners] of hub.streamListeners) {
    for (const [boot, { until }] of listeners) if (until <= now) listeners.delete(boot);
    if (listeners.size > 0) continue;
    hub.streamListeners.delete(key);
    hub.streams.delete(key);
    if (hub.streamHearers.get(key)?.size === 0) hub.streamHearers.delete(key);
  }
}
