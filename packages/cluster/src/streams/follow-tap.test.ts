import { expect, test, vi } from 'vitest';
import { followTap } from './follow-tap.ts';
import type { Entry, StreamStore } from './stream-store.ts';
import type { Followed, Position } from './streams.ts';
import type { Tap } from './tap.ts';

const event = (n: number, gen = 'g1'): Followed => ({
  gen,
  n,
  kind: 'event',
  event: Buffer.from(`event ${n}`),
});

const entry = (n: number): Entry => ({
  n, kind: 'event', at: 0, src: 'conn', seq: n, body: Buffer.from(`event ${n}`),
}); // prettier-ignore

const numbersOf = (messages: readonly Followed[]) => messages.map(({ n }) => n);

/** Follows a tap that stands at 5, with a history that has these entries. */
function follow(after?: Position, history: { n: number; entries: Entry[] } | 'away' = { n: 5, entries: [] }) {
  const listeners = new Set<(message: Followed) => void>();
  const read = vi.fn<() => Promise<unknown>>(() =>
    history === 'away'
      ? Promise.reject(new Error(history))
      : Promise.resolve({ head: { gen: 'g1', n: history.n }, entries: history.entries, now: 0 }),
  );
  const onStop = vi.fn<() => void>();
  const tap = {
    stream: { clientId: 'client', channel: 'rolls' },
    add: (listener: (message: Followed) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    position: () => ({ gen: 'g1', n: 5 }),
    isOnline: () => true,
  } as unknown as Tap;
  const following = followTap({ read } as unknown as StreamStore, tap, after, onStop);
  const tell = (message: Followed) => listeners.forEach((listener) => listener(message));
  return { following, tell, read, onStop, listeners };
}

test('a follower from now on reads no history, and hears what came before it started, in order', async () => {
  const { following, tell, read } = follow();
  const follower = await following;
  expect(follower).toMatchObject({
    recovered: false,
    missed: [],
    position: { gen: 'g1', n: 5 },
    isOnline: true,
  });
  const heard: Followed[] = [];
  tell(event(6));
  follower.start((message) => heard.push(message));
  tell(event(7));
  expect(numbersOf(heard)).toEqual([6, 7]);
  expect(read).not.toHaveBeenCalled();
});

test('a follower from a place gets what the history has behind it, and hears none of it twice', async () => {
  const { following, tell } = follow({ gen: 'g1', n: 3 }, { n: 7, entries: [4, 5, 6, 7].map(entry) });
  // The tap is behind the history.
  tell(event(6));
  const follower = await following;
  expect(follower).toMatchObject({ recovered: true, position: { gen: 'g1', n: 3 } });
  expect(numbersOf(follower.missed)).toEqual([4, 5, 6, 7]);
  const heard: Followed[] = [];
  follower.start((message) => heard.push(message));
  for (const message of [event(7), event(8), event(1, 'g2')]) tell(message);
  expect(heard).toEqual([event(8), event(1, 'g2')]);
});

test('a follower from the end of the history misses nothing', async () => {
  const { following } = follow({ gen: 'g1', n: 5 });
  expect(await following).toMatchObject({ recovered: true, missed: [] });
});

test.each([
  ['of another history', { gen: 'g0', n: 4 }, { n: 5, entries: [entry(5)] }],
  ['that the history does not reach any more', { gen: 'g1', n: 2 }, { n: 5, entries: [entry(4), entry(5)] }],
  ['behind which all is forgotten', { gen: 'g1', n: 2 }, { n: 5, entries: [] }],
  ['that the history has not reached', { gen: 'g1', n: 9 }, { n: 5, entries: [] }],
])(
  'a place %s is not recovered, and the follower goes on from where the tap stands',
  async (_what, after, history) => {
    const { following, tell } = follow(after, history);
    const follower = await following;
    expect(follower).toMatchObject({ recovered: false, missed: [], position: { gen: 'g1', n: 5 } });
    const heard: Followed[] = [];
    follower.start((message) => heard.push(message));
    tell(event(6));
    expect(numbersOf(heard)).toEqual([6]);
  },
);

test('a follower that stops hears nothing more, and has left once', async () => {
  const { following, tell, onStop, listeners } = follow();
  const follower = await following;
  const heard: Followed[] = [];
  follower.start((message) => heard.push(message));
  follower.stop();
  follower.stop();
  tell(event(6));
  expect([heard, listeners.size]).toEqual([[], 0]);
  expect(onStop).toHaveBeenCalledOnce();
});

test('a history that cannot be read leaves no listener behind', async () => {
  const { following, listeners } = follow({ gen: 'g1', n: 3 }, 'away');
  await expect(following).rejects.toThrow('away');
  expect(listeners.size).toBe(0);
});
