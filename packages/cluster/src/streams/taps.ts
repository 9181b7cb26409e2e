import type { StreamStore } from './stream-store.ts';
import type { Followed, Following, Position, StreamId } from './streams.ts';
import { followedOf, openTap } from './tap.ts';
import type { Tap } from './tap.ts';

/** The streams of one shard that are followed on this instance. */
export interface Taps {
  follow(stream: StreamId, after?: Position): Promise<Following>;
  /** Says which streams are listened to, and looks for what was missed. Never rejects. */
  check(): Promise<void>;
  /** Entries may have been missed. */
  catchUp(): void;
  stop(): void;
}

interface OpenTap {
  tap: Promise<Tap>;
  /** Followers, and those that are about to be. */
  users: number;
}

const checkBatch = 100;

export function createTaps(store: StreamStore): Taps {
  const taps = new Map<string, OpenTap & { stream: StreamId }>();
  const keyOf = ({ clientId, channel }: StreamId): string => `${channel} ${clientId}`;

  const tellCount = async (stream: StreamId, count: number): Promise<void> => {
    await store.check([{ ...stream, count }]);
  };

  const leave = (stream: StreamId): void => {
    const key = keyOf(stream);
    const open = taps.get(key);
    if (!open) return;
    open.users -= 1;
    if (open.users > 0) return;
    taps.delete(key);
    open.tap.then(({ stop }) => stop()).catch(() => {});
    // Where the store does not answer, the channel counts as listened to a little longer than it should.
    tellCount(stream, 0).catch(() => {});
  };

  const enter = async (stream: StreamId): Promise<Tap> => {
    const key = keyOf(stream);
    const open = taps.get(key) ?? { stream, tap: openTap(store, stream), users: 0 };
    taps.set(key, open);
    open.users += 1;
    try {
      const tap = await open.tap;
      if (open.users === 1 || tap.size === 0) await tellCount(stream, open.users);
      return tap;
    } catch (cause) {
      leave(stream);
      throw cause;
    }
  };

  return {
    follow: async (stream, after) => {
      const tap = await enter(stream);
      try {
        return await followTap(store, tap, after, () => leave(stream));
      } catch (cause) {
        leave(stream);
        throw cause;
      }
    },
    check: async () => {
      const open = [...taps.values()];
      for (let at = 0; at < open.length; at += checkBatch) {
        const batch = open.slice(at, at + checkBatch);
        const asked = batch.map(({ stream, users }) => ({ ...stream, count: users }));
        const heads = await store.check(asked).catch(() => []);
        for (const [index, head] of heads.entries()) {
          batch[index]?.tap.then((tap) => tap.compare(head)).catch(() => {});
        }
      }
    },
    catchUp: () => {
      for (const { tap } of taps.values()) tap.then(({ catchUp }) => catchUp()).catch(() => {});
    },
    stop: () => {
      for (const { tap } of taps.values()) tap.then(({ stop }) => stop()).catch(() => {});
      taps.clear();
    },
  };
}

/** Joins what the history has behind `after` and what comes from now on. */
async function followTap(
  store: StreamStore,
  tap: Tap,
  after: Position | undefined,
  onStop: () => void,
): Promise<Following> {
  let waiting: Followed[] = [];
  let listener: ((message: Followed) => void) | undefined;
  let isStopped = false;
  const remove = tap.add((message) => {
    if (listener) listener(message);
    else if (!isStopped) waiting.push(message);
  });
  const position = tap.position();
  const isOnline = tap.isOnline();
  const found = after && (await findMissed(store, tap.stream, after).catch(fail));
  function fail(cause: unknown): never {
    remove();
    throw cause;
  }

  return {
    recovered: found !== undefined,
    missed: found?.missed ?? [],
    position: after && found ? after : position,
    isOnline,
    start: (own) => {
      // The tap may be behind the history, and then brings what is in `missed`.
      const isNew = ({ gen, n }: Followed): boolean => !found || gen !== found.upTo.gen || n > found.upTo.n;
      listener = (message) => {
        if (isNew(message)) own(message);
      };
      const early = waiting;
      waiting = [];
      for (const message of early) listener(message);
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      waiting = [];
      remove();
      onStop();
    },
  };
}

/** What the history has behind a place. Undefined where it does not reach so far. */
async function findMissed(
  store: StreamStore,
  stream: StreamId,
  after: Position,
): Promise<{ missed: Followed[]; upTo: Position } | undefined> {
  const { head, entries } = await store.read(stream, after);
  if (head.gen !== after.gen || after.n > head.n) return undefined;
  const first = entries[0]?.n ?? head.n + 1;
  if (first !== after.n + 1) return undefined;
  const missed = entries.map((entry) => followedOf(head.gen, entry));
  return { missed, upTo: { gen: head.gen, n: head.n } };
}
