import { createEventOutbox } from './event-outbox.ts';
import type { Backlog, EventOutbox } from './event-outbox.ts';
import type { Listeners, StreamStore } from './stream-store.ts';
import type { ListenersChange, StreamBounds, StreamId } from './streams.ts';

/** The sockets of this instance on one shard, as sources of events. */
export interface Sources {
  append(conn: string, channel: string, event: Buffer): void;
  appendGap(conn: string, channel: string, dropped: number): void;
  open(clientId: string, conn: string, channels: readonly string[]): void;
  close(conn: string, end: { offline: boolean }): Promise<void>;
  isWanted(conn: string, channel: string): boolean;
  /** An instance told how many listen. */
  onListeners(stream: StreamId, listeners: Listeners): void;
  /** The store answers again or may have lost data, or news of listeners may have been missed. */
  onBack(): void;
  /** Resolves when what ended sockets brought is appended. */
  flush(): Promise<unknown>;
  stop(): void;
}

export interface SourcesOptions {
  store: StreamStore;
  bounds: StreamBounds;
  tell: (change: ListenersChange) => void;
}

interface Source {
  clientId: string;
  conn: string;
  channels: readonly string[];
  /** By channel: when to ask again whether somebody listens. */
  wanted: Map<string, NodeJS.Timeout>;
  /** Channels of which the socket knows whether somebody listens. */
  told: Set<string>;
  /** Wanted channels to which nobody listens any more, by one look. */
  doubted: Set<string>;
  outboxes: Map<string, EventOutbox>;
  /** When to ask again what the store did not answer. */
  askAgain?: NodeJS.Timeout;
}

const flushMs = 1_000;
const askAgainMs = { first: 500, longest: 30_000 };
/** Every instance that listens says so at each check; one whose connection comes back late misses one or two. */
const checksToConfirm = 3;

// oxlint-disable-next-line max-lines-per-function -- A table of sockets and a few lines for each thing that happens to one.
export function createSources({ store, bounds, tell }: SourcesOptions): Sources {
  const sources = new Map<string, Source>();
  const connsOf = new Map<string, Set<string>>();
  /** Of sockets that have ended, with what the store does not have yet, and until when. */
  const leaving = new Map<EventOutbox, Promise<void>>();
  const backlog: Backlog = { bytes: 0 };

  const outboxOf = (source: Source, channel: string): EventOutbox => {
    const { clientId, conn, outboxes } = source;
    const known = outboxes.get(channel);
    if (known) return known;
    const outbox = createEventOutbox({ store, stream: { clientId, channel }, conn, bounds, backlog });
    outboxes.set(channel, outbox);
    return outbox;
  };

  const setWanted = (source: Source, channel: string, { count, forMs }: Listeners): void => {
    const { clientId, conn, wanted, told } = source;
    if (forMs <= 0) return setUnwanted(source, channel);
    const timer = wanted.get(channel);
    clearTimeout(timer);
    told.add(channel);
    source.doubted.delete(channel);
    wanted.set(
      channel,
      setTimeout(() => void learn(source, [channel]), forMs + 1),
    );
    // Listeners hear that the client is online even if it has nothing to say, and a store that was emptied hears how far it is.
    outboxOf(source, channel).announce();
    if (timer !== undefined) return;
    tell({ clientId, conn, channel, count: Math.max(1, count) });
  };

  /**
   * A store that lost its data knows of no listener before each instance has said again who listens there. Events that come
   * until then would be lost and nobody told, so that a channel stays wanted until a second look finds nobody either.
   */
  const setUnwanted = (source: Source, channel: string): void => {
    const { clientId, conn, wanted, told, doubted } = source;
    if (!wanted.has(channel)) {
      if (!told.has(channel)) tell({ clientId, conn, channel, count: 0 });
      told.add(channel);
      return;
    }
    if (doubted.has(channel)) return;
    doubted.add(channel);
    clearTimeout(wanted.get(channel));
    wanted.set(
      channel,
      setTimeout(() => void confirmUnwanted(source, channel), checksToConfirm * bounds.checkMs),
    );
  };

  const confirmUnwanted = async (source: Source, channel: string): Promise<void> => {
    const { clientId, conn, wanted, doubted } = source;
    const [found] = await store.listeners(clientId, [channel]).catch(() => []);
    if (sources.get(conn) !== source || !doubted.delete(channel)) return;
    if (found?.forMs === 0) {
      wanted.delete(channel);
      tell({ clientId, conn, channel, count: 0 });
    } else setWanted(source, channel, found ?? { count: 0, forMs: 0 });
  };

  /** Asks again where the store does not answer: a socket that never learns who listens would keep its client silent. */
  const learn = async (source: Source, channels: readonly string[], failures = 0): Promise<void> => {
    const found = await store.listeners(source.clientId, channels).catch(() => undefined);
    if (sources.get(source.conn) !== source) return;
    if (!found) {
      clearTimeout(source.askAgain);
      const afterMs = Math.min(askAgainMs.first * 2 ** failures, askAgainMs.longest);
      source.askAgain = setTimeout(() => void learn(source, source.channels, failures + 1), afterMs);
      return;
    }
    for (const [index, listeners] of found.entries()) setWanted(source, channels[index] ?? '', listeners);
  };

  const forget = (source: Source): void => {
    sources.delete(source.conn);
    const conns = connsOf.get(source.clientId);
    conns?.delete(source.conn);
    if (conns?.size === 0) connsOf.delete(source.clientId);
    for (const timer of source.wanted.values()) clearTimeout(timer);
    clearTimeout(source.askAgain);
  };

  const end = async ({ clientId, conn, outboxes }: Source, offline: boolean): Promise<void> => {
    await Promise.all(
      Array.from(outboxes.values(), async (outbox) => {
        const ended = outbox.end(offline);
        leaving.set(outbox, ended);
        await ended;
        leaving.delete(outbox);
      }),
    );
    // Where this fails the successor waits for its time-out and tells its listeners of a gap.
    if (!offline) await store.finish(clientId, conn).catch(() => {});
  };

  return {
    append: (conn, channel, event) => {
      const source = sources.get(conn);
      if (source) outboxOf(source, channel).push(event);
    },
    appendGap: (conn, channel, dropped) => {
      const source = sources.get(conn);
      if (source) outboxOf(source, channel).pushGap(dropped);
    },
    open: (clientId, conn, channels) => {
      const source: Source = {
        clientId,
        conn,
        channels,
        wanted: new Map(),
        told: new Set(),
        doubted: new Set(),
        outboxes: new Map(),
      };
      sources.set(conn, source);
      connsOf.set(clientId, (connsOf.get(clientId) ?? new Set()).add(conn));
      void learn(source, channels);
    },
    close: async (conn, { offline }) => {
      const source = sources.get(conn);
      if (!source) return;
      forget(source);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, flushMs);
      await Promise.race([end(source, offline), late.promise]);
      clearTimeout(timer);
    },
    isWanted: (conn, channel) => {
      const source = sources.get(conn);
      // A client that comes over sends on at once to those who listen: before this instance has asked for them.
      return source !== undefined && (source.wanted.has(channel) || !source.told.has(channel));
    },
    onListeners: ({ clientId, channel }, listeners) => {
      for (const conn of connsOf.get(clientId) ?? []) {
        const source = sources.get(conn);
        if (source?.channels.includes(channel)) setWanted(source, channel, listeners);
      }
    },
    onBack: () => {
      for (const outbox of leaving.keys()) outbox.wake();
      for (const source of sources.values()) {
        for (const outbox of source.outboxes.values()) outbox.wake();
        for (const channel of source.wanted.keys()) outboxOf(source, channel).announce();
        void learn(source, source.channels);
      }
    },
    flush: () => Promise.all(leaving.values()),
    stop: () => {
      for (const outbox of leaving.keys()) outbox.stop();
      for (const source of sources.values()) {
        forget(source);
        for (const outbox of source.outboxes.values()) outbox.stop();
      }
    },
  };
}
