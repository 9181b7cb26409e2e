import type { StreamStore } from './stream-store.ts';
import type { Followed, FollowFrom, Following, Position, StreamId } from './streams.ts';
import { followedOf } from './tap.ts';
import type { Tap } from './tap.ts';

/** Joins what the history has behind `after` and what comes from now on. */
export async function followTap(
  store: StreamStore,
  tap: Tap,
  after: FollowFrom | undefined,
  onStop: () => void,
  notBefore?: number,
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
  const found = after && (await findMissed(store, tap.stream, after, notBefore).catch(fail));
  function fail(cause: unknown): never {
    remove();
    throw cause;
  }

  return {
    recovered: found?.isWhole ?? false,
    missed: found?.missed ?? [],
    position: found?.from ?? position,
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
    catchUp: async () => {
      // One that runs already may have begun before.
      await tap.catchUp().catch(() => {});
      await tap.catchUp();
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

/** What the history has behind a place, and whether that is all of it. Undefined where it does not reach so far. */
async function findMissed(
  store: StreamStore,
  stream: StreamId,
  after: FollowFrom,
  notBefore = -Infinity,
): Promise<{ missed: Followed[]; from: Position; upTo: Position; isWhole: boolean } | undefined> {
  // The clocks are two, so ages are compared. That of the store is told later than this one was read: an entry of the same
  // moment counts as older.
  const ageMs = performance.now() - notBefore;
  const known = after === 'oldest' ? undefined : after;
  const { head, entries, now } = await store.read(stream, known);
  if (known && head.gen !== known.gen) return undefined;
  const first = entries[0]?.n ?? head.n + 1;
  const start = known ?? { gen: head.gen, n: first - 1 };
  if (first !== start.n + 1) return undefined;
  const early = entries.findLast(({ at }) => now - at >= ageMs);
  const missed = entries.filter(({ n }) => !early || n > early.n).map((entry) => followedOf(head.gen, entry));
  const from = early ? { gen: head.gen, n: early.n } : start;
  return { missed, from, upTo: { gen: head.gen, n: head.n }, isWhole: !early };
}
