import type { StoreEvents, StreamStore } from '../../streams/stream-store.ts';
import type { StreamBounds } from '../../streams/streams.ts';
import type { MemoryHub } from '../memory-hub.ts';
import { ownerOf } from '../memory-hub.ts';
import { appendBatch } from './append-batch.ts';
import { checkStream, listenersOf } from './stream-listeners.ts';
import { addTo, headOf, hearersOf, keyOf, openStream } from './stream-records.ts';

export interface MemoryStreamStoreOptions {
  hub: MemoryHub;
  boot: string;
  bounds: StreamBounds;
  events: () => StoreEvents;
}

/** Streams in the memory of one process. The rules are those of the scripts of the Redis store. */
export function createMemoryStreamStore(options: MemoryStreamStoreOptions): StreamStore {
  const { hub, boot, bounds, events } = options;
  hub.streamEvents.set(boot, (stream, listeners) => events().onListeners(stream, listeners));
  return {
    append: (stream, batch) => Promise.resolve(appendBatch(hub, bounds, stream, batch)),
    appendLoss: (stream, dropped) => {
      const record = hub.streams.get(keyOf(stream));
      if (record) {
        const addition = addTo(record, bounds);
        addition.own('gap', dropped === undefined ? '' : String(dropped));
        addition.publish();
      }
      return Promise.resolve();
    },
    finish: (clientId, conn) => {
      const owner = ownerOf(hub, clientId);
      if (owner?.before?.conn === conn) delete owner.before;
      return Promise.resolve();
    },
    head: (stream) => Promise.resolve(headOf(openStream(hub, stream))),
    read: (stream, after) => {
      const record = openStream(hub, stream);
      const entries = record.entries.filter(({ n }) => after?.gen !== record.gen || n > after.n);
      return Promise.resolve({ head: headOf(record), entries, now: Date.now() });
    },
    check: (streams) => Promise.resolve(streams.map((stream) => checkStream(options, stream))),
    findGone: (boots) => Promise.resolve(boots.filter((one) => !hub.members.has(one))),
    listeners: (clientId, channels) =>
      Promise.resolve(channels.map((channel) => listenersOf(hub, { clientId, channel }))),
    watch: (stream, hear) => {
      const hearers = hearersOf(hub, stream);
      const own: typeof hear = (gen, entries) => hear(gen, entries);
      hearers.add(own);
      return Promise.resolve(() => void hearers.delete(own));
    },
  };
}
