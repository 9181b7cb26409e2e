import type { Entry, Head, StreamStore } from './stream-store.ts';
import type { Followed, Position, StreamId, StreamMessage } from './streams.ts';

/** One stream as it is followed on this instance: each of its messages once and in order, for all followers together. */
export interface Tap {
  readonly stream: StreamId;
  /** Where the followers are. */
  position(): Position;
  isOnline(): boolean;
  /** Hears each message from now on. */
  add(listener: (message: Followed) => void): () => void;
  /** Number of listeners. */
  readonly size: number;
  /** To be called with where the stream stood a while ago: what was missed then is fetched. */
  compare(head: Head): void;
  /** Reads what may have been missed. Rejects while the store is away. */
  catchUp(): Promise<void>;
  stop(): void;
}

const maxEarly = 256;

/** Resolves when the tap hears everything that is appended from now on. */
// oxlint-disable-next-line max-lines-per-function -- One position in one stream, and what moves it.
export async function openTap(store: StreamStore, stream: StreamId): Promise<Tap> {
  const listeners = new Set<(message: Followed) => void>();
  let head: Head | undefined;
  /** What comes while the stream is read. The newest are left out where there is no room, and read again. */
  let early: { gen: string; entries: Entry[] }[] = [];
  let isEarlyLost = false;
  let reading: Promise<void> | undefined;
  /** The history was lost, and nothing has proved yet that it had no message that was not heard. */
  let isUnsure = false;
  let looks = 0;

  const keep = (gen: string, entries: Entry[]): void => {
    if (early.length < maxEarly) early.push({ gen, entries });
    else isEarlyLost = true;
  };

  const tell = (message: StreamMessage, at: Head): void => {
    const followed: Followed = { gen: at.gen, n: at.n, ...message };
    for (const listener of listeners) listener(followed);
  };

  const advance = (at: Head, entry: Entry): void => {
    at.n = entry.n;
    if (entry.src !== '') {
      at.src = entry.src;
      at.seq = entry.seq;
    }
    if (entry.kind === 'online' || entry.kind === 'offline') {
      const isOnline = entry.kind === 'online';
      if (at.isOnline === isOnline) return;
      at.isOnline = isOnline;
    }
    tell(messageOf(entry), at);
  };

  const takeLive = (gen: string, entries: Entry[]): void => {
    if (!head || reading) return keep(gen, entries);
    for (const entry of entries) {
      if (gen === head.gen && entry.n <= head.n) continue;
      if (gen !== head.gen || entry.n !== head.n + 1) {
        // Where the store does not answer now, the next look finds it.
        void catchUp().catch(() => {});
        return keep(gen, entries);
      }
      advance(head, entry);
    }
  };

  /** What the store has behind the head. Where it has less than there was, the difference is told. */
  const takeRead = (at: Head, read: { head: Head; entries: Entry[] }): void => {
    if (read.head.gen !== at.gen) return takeNewHistory(at, read);
    for (const entry of read.entries) {
      if (entry.n > at.n + 1) tellGap(at, entry.n - 1, entry.n - at.n - 1);
      advance(at, entry);
    }
    if (read.head.n > at.n) tellGap(at, read.head.n, read.head.n - at.n);
  };

  const tellGap = (at: Head, n: number, dropped: number | undefined): void => {
    at.n = n;
    tell({ kind: 'gap', dropped }, at);
  };

  /** The store lost the history. What a conn numbered tells whether it had more than was heard. */
  const takeNewHistory = (at: Head, read: { head: Head; entries: Entry[] }): void => {
    const { src, seq, isOnline } = at;
    const fresh = read.entries.filter((entry) => entry.src === '' || entry.src !== src || entry.seq > seq);
    at.gen = read.head.gen;
    isUnsure = true;
    looks = 0;
    for (const entry of fresh) {
      at.n = entry.n - 1;
      if (isUnsure && entry.src !== '') settle(at, entry.src, entry.seq - 1);
      advance(at, entry);
    }
    at.n = read.head.n;
    if (isUnsure && read.head.src !== '') settle(at, read.head.src, read.head.seq);
    if (read.head.isOnline !== undefined && read.head.isOnline !== isOnline && at.isOnline === isOnline) {
      at.isOnline = read.head.isOnline;
      tell({ kind: read.head.isOnline ? 'online' : 'offline', at: Date.now() }, at);
    }
  };

  /** Entries of this conn up to `seq` are known to have been there. */
  const settle = (at: Head, src: string, seq: number): void => {
    isUnsure = false;
    if (src !== at.src) tellGap(at, at.n, undefined);
    else if (seq > at.seq) tellGap(at, at.n, seq - at.seq);
    at.seq = src === at.src ? Math.max(seq, at.seq) : seq;
    at.src = src;
  };

  const drain = (): void => {
    const waiting = early;
    early = [];
    for (const { gen, entries } of waiting) takeLive(gen, entries);
  };

  const catchUp = (): Promise<void> =>
    (reading ??= readOn()
      .finally(() => (reading = undefined))
      .then(drain));

  const readOn = async (): Promise<void> => {
    try {
      do {
        isEarlyLost = false;
        const read = await store.read(stream, head);
        if (head) takeRead(head, read);
      } while (isEarlyLost);
    } catch (cause) {
      early = [];
      throw cause;
    }
    early = early.filter(({ gen }) => gen === head?.gen);
  };

  const stopWatching = await store.watch(stream, takeLive);
  try {
    head = await store.head(stream);
  } catch (cause) {
    stopWatching();
    throw cause;
  }
  const at = head;
  drain();

  return {
    stream,
    position: () => ({ gen: at.gen, n: at.n }),
    isOnline: () => at.isOnline === true,
    add: (listener) => {
      const own = (message: Followed): void => listener(message);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    get size() {
      return listeners.size;
    },
    compare: (found) => {
      if (found.gen !== at.gen || found.n > at.n) void catchUp().catch(() => {});
      // The owner says what it had as soon as the store is back, so at the second look it has, or there is none.
      else if (isUnsure && (found.src !== '' || ++looks > 1)) settle(at, found.src || '?', found.seq);
    },
    catchUp,
    stop: stopWatching,
  };
}

export function followedOf(gen: string, entry: Entry): Followed {
  return { gen, n: entry.n, ...messageOf(entry) };
}

function messageOf({ kind, body, at }: Entry): StreamMessage {
  if (kind === 'event') return { kind, event: body };
  if (kind === 'gap') return { kind, dropped: body.length > 0 ? Number(body.toString()) : undefined };
  return { kind, at };
}
