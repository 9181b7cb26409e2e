import { followTap } from './follow-tap.ts';
import type { Head, StreamStore } from './stream-store.ts';
import type { FollowFrom, Following, StreamId } from './streams.ts';
import { openTap } from './tap.ts';
import type { Tap } from './tap.ts';

/** The streams of one shard that are followed on this instance. */
export interface Taps {
  /** As `Streams.follow`. */
  follow(stream: StreamId, after?: FollowFrom, notBefore?: number): Promise<Following>;
  /** Says which streams are listened to, and looks for what was missed. Never rejects. */
  check(): Promise<void>;
  /** Checks the streams whose owner is gone. It is cheap, so that listeners soon hear of a client that is offline. */
  checkOwners(): Promise<void>;
  /** Entries may have been missed. */
  catchUp(): void;
  stop(): void;
}

interface OpenTap {
  tap: Promise<Tap>;
  /** Followers, and those that are about to be. */
  users: number;
  stream: StreamId;
  /** Who owned the client when it was looked at last; empty where nobody did, or where listeners know it to be offline. */
  owner: string;
}

const checkBatch = 100;

/** `onListeners` is called when a stream gets its first listener here. */
export function createTaps(store: StreamStore, onListeners: (stream: StreamId, count: number) => void): Taps {
  const taps = new Map<string, OpenTap>();
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
    const open = taps.get(key) ?? { stream, tap: openTap(store, stream), users: 0, owner: '' };
    taps.set(key, open);
    open.users += 1;
    try {
      const tap = await open.tap;
      if (open.users === 1 || tap.size === 0) {
        await tellCount(stream, open.users);
        onListeners(stream, open.users);
      }
      return tap;
    } catch (cause) {
      leave(stream);
      throw cause;
    }
  };

  return {
    follow: async (stream, after, notBefore) => {
      const tap = await enter(stream);
      try {
        return await followTap(store, tap, after, () => leave(stream), notBefore);
      } catch (cause) {
        leave(stream);
        throw cause;
      }
    },
    check: () => checkAll(store, [...taps.values()]),
    checkOwners: () => checkOwners(store, [...taps.values()]),
    catchUp: () => {
      for (const { tap } of taps.values()) tap.then(({ catchUp }) => catchUp()).catch(() => {});
    },
    stop: () => {
      for (const { tap } of taps.values()) tap.then(({ stop }) => stop()).catch(() => {});
      taps.clear();
    },
  };
}

async function checkAll(store: StreamStore, open: readonly OpenTap[]): Promise<void> {
  for (let at = 0; at < open.length; at += checkBatch) {
    const batch = open.slice(at, at + checkBatch);
    const asked = batch.map(({ stream, users }) => ({ ...stream, count: users }));
    const heads = await store.check(asked).catch(() => []);
    for (const [index, head] of heads.entries()) compare(batch[index] as OpenTap, head);
  }
}

async function checkOwners(store: StreamStore, open: readonly OpenTap[]): Promise<void> {
  const byOwner = Map.groupBy(open, ({ owner }) => owner);
  byOwner.delete('');
  if (byOwner.size === 0) return;
  const gone = await store.findGone([...byOwner.keys()]).catch(() => []);
  const left = gone.flatMap((boot) => byOwner.get(boot) ?? []);
  await checkAll(store, left);
}

function compare(open: OpenTap, head: Head): void {
  open.owner = head.isOnline === false ? '' : head.owner;
  open.tap.then((tap) => tap.compare(head)).catch(() => {});
}
