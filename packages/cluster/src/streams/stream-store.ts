import type { StreamId } from './streams.ts';
import { readParts, writeParts } from '../message.ts';

/** One message in a stream's history. */
export interface Entry {
  n: number;
  kind: EntryKind;
  /** Epoch ms by the store's clock. */
  at: number;
  /** The conn that brought it, and its number among those of that conn; empty and 0 for what the store added itself. */
  src: string;
  seq: number;
  /** Of a gap: how many are missing, as decimal text; empty: nobody knows. */
  body: Buffer;
}

export type EntryKind = 'event' | 'gap' | 'offline' | 'online';

/** Where a stream stands. `src` and `seq` are those of the last entry that a conn brought. */
export interface Head {
  gen: string;
  n: number;
  /** Undefined: the store lost what it knew. */
  isOnline: boolean | undefined;
  src: string;
  seq: number;
  /** The instance that owns the client, by its boot; empty where `check` found none, or was not asked. */
  owner: string;
}

export interface Batch {
  conn: string;
  /** The number of the last entry of the conn before these. A stream that the store has lost goes on behind it. */
  base: number;
  entries: readonly Appended[];
  /** The conn has ended and these are its last. */
  offline: boolean;
}

export interface Appended {
  kind: 'event' | 'gap';
  seq: number;
  body: Buffer;
}

/**
 * `unowned`: nobody owns the client, though this conn may assert its claim again. `fenced`: another conn owns it.
 * `wait`: the owner before this one has not finished. Nothing was appended in these cases.
 */
export type AppendOutcome = 'appended' | 'unowned' | 'fenced' | 'wait';

export interface Listeners {
  count: number;
  /** The channel counts as listened to for so long. 0: nobody listens. */
  forMs: number;
}

/** The streams of the clients of one shard. Every method rejects while the store is away. */
export interface StreamStore {
  /**
   * Appends what the stream does not have yet, so that it may be repeated: entries of a conn are told by their numbers.
   * Tells before them that the client is online, where the stream does not know.
   */
  append(stream: StreamId, batch: Batch): Promise<AppendOutcome>;
  /** Tells listeners of entries that can no longer be appended; without effect on a stream that the store does not have. */
  appendLoss(stream: StreamId, dropped: number | undefined): Promise<void>;
  /** The conn has appended all that it brought: its successor need not wait for more. */
  finish(clientId: string, conn: string): Promise<void>;
  /**
   * The entries behind a place, or all where the stream's `gen` is another; `now` is the time by the store's clock. Begins the
   * stream where there is none.
   */
  read(
    stream: StreamId,
    after?: { gen: string; n: number },
  ): Promise<{ head: Head; entries: Entry[]; now: number }>;
  /** Where a stream stands, without its entries. Begins the stream where there is none. */
  head(stream: StreamId): Promise<Head>;
  /**
   * Says how many on this instance listen to each stream, and tells of owners that are gone. Must be repeated within
   * `lingerMs`. Tells the owner where that is news.
   */
  check(streams: readonly (StreamId & { count: number })[]): Promise<Head[]>;
  /** Which of these instances are gone, by their boots. */
  findGone(boots: readonly string[]): Promise<string[]>;
  /** How many listen on all instances. */
  listeners(clientId: string, channels: readonly string[]): Promise<Listeners[]>;
  /** Resolves when each entry that is appended from now on will be told. */
  watch(stream: StreamId, hear: (gen: string, entries: Entry[]) => void): Promise<() => void>;
}

/** What a store tells of itself. */
export interface StoreEvents {
  /** Entries may have been missed: each stream must be read again. */
  onGap(): void;
  /** The store answers again or may have lost data, or news of listeners were missed: what waits can be sent. */
  onBack(): void;
  /** The listeners of a client of this instance have changed. */
  onListeners(stream: StreamId, listeners: Listeners): void;
}

type EntryHead = Pick<Entry, 'kind' | 'src' | 'seq'>;

/** An entry as stores keep it, in the format of messages. The scripts write those of other kinds than `event` too. */
export function packEntry(src: string, { kind, seq, body }: Pick<Entry, 'kind' | 'seq' | 'body'>): Buffer {
  return writeParts({ kind, src, seq } satisfies EntryHead, body);
}

export function unpackEntry(n: number, at: number, packed: Buffer): Entry {
  const { head, body } = readParts(packed);
  return { n, at, ...(head as EntryHead), body };
}
