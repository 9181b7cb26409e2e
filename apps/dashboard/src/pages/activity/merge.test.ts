import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFeeds } from './merge.ts';

interface Item {
  at: string;
}

/** A list behind a cursor, in pages of three; it counts how often it is read. */
function sourceOf(items: readonly Item[]) {
  const source = {
    reads: 0,
    read(cursor: string | undefined) {
      source.reads++;
      const start = Number(cursor ?? 0);
      const nextCursor = start + 3 < items.length ? String(start + 3) : null;
      return Promise.resolve({ items: items.slice(start, start + 3), nextCursor });
    },
  };
  return source;
}

const newestFirst = (items: Item[]) => items.toSorted((one, other) => other.at.localeCompare(one.at));
const anItem = fc.integer({ min: 0, max: 60 }).map((minute) => ({
  at: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(),
}));

test('two lists, read page after page, become one in the order of time, with nothing lost or twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem),
      fc.array(anItem),
      fc.integer({ min: 1, max: 7 }),
      async (one, other, size) => {
        const feed = mergeFeeds([sourceOf(newestFirst(one)), sourceOf(newestFirst(other))]);
        const merged: Item[] = [];
        while (feed.hasMore()) merged.push(...(await feed.next(size)));
        expect(merged.map(({ at }) => at)).toEqual(newestFirst([...one, ...other]).map(({ at }) => at));
      },
    ),
  );
});

test('no list is read further than what is shown needs', async () => {
  const old = sourceOf(Array.from({ length: 9 }, () => ({ at: '2020-01-01T00:00:00Z' })));
  const young = sourceOf(Array.from({ length: 9 }, () => ({ at: '2026-01-01T00:00:00Z' })));
  await mergeFeeds([old, young]).next(5);
  expect([old.reads, young.reads]).toEqual([1, 2]);
});

test('a page that can’t be read loses nothing: what came before is shown, and it is read again', async () => {
  const times = ['4', '3', '2', '1'].map((minute) => ({ at: `2026-01-01T00:0${minute}:00Z` }));
  const source = sourceOf(times);
  let isAway = false;
  const feed = mergeFeeds([
    { read: (cursor) => (isAway ? Promise.reject(new Error('away')) : source.read(cursor)) },
  ]);
  const shown = await feed.next(2);
  isAway = true;
  shown.push(...(await feed.next(2)));
  await expect(feed.next(1)).rejects.toThrow('away');
  isAway = false;
  shown.push(...(await feed.next(2)));
  expect(shown).toEqual(times);
});
