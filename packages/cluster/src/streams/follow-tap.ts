import type { StreamStore } from './stream-store.ts';
import type { Followed, Following, Position, StreamId } from './streams.ts';
import { followedOf } from './tap.ts';
import type { Tap } from './tap.ts';

/** Joins what the history has behind `after` and what comes from now on. */
export async function followTap(
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
  if (head.gen !== after.gen) return undefined;
  const first = entries[0]?.n ?? head.n + 1;
  if (first !== after.n + 1) return undefined;
  const missed = entries.map((entry) => followedOf(head.gen, entry));
  return { missed, upTo: { gen: head.gen, n: head.n } };
}
