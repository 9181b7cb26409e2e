import { expect, test } from 'vitest';
import { onlineTimes } from './online-strip.tsx';

const at = (hour: number) => Date.UTC(2026, 10, 21, hour);
const iso = (hour: number) => new Date(at(hour)).toISOString();
const times = (
  spans: { from: number; to: number | null }[],
  world: { isOnline: boolean; since?: number; lastSeen?: number },
) =>
  onlineTimes({
    world: {
      isOnline: world.isOnline,
      connectedSince: world.since === undefined ? null : iso(world.since),
      lastSeenAt: world.lastSeen === undefined ? null : iso(world.lastSeen),
    },
    spans: spans.map(({ from, to }) => ({ from: iso(from), to: to === null ? null : iso(to) })),
    from: at(0),
    until: at(12),
  }).map(([start, end]) => [(start - at(0)) / 3_600_000, (end - at(0)) / 3_600_000]);

test('a connection that is older than what is shown fills it', () => {
  expect(times([], { isOnline: true, since: -5 })).toEqual([[0, 12]]);
});

test('a connection without an end lasts until now, or until the world was last seen', () => {
  expect(times([{ from: 2, to: null }], { isOnline: true, since: 2 })).toEqual([[2, 12]]);
  expect(times([{ from: 2, to: null }], { isOnline: false, lastSeen: 5 })).toEqual([[2, 5]]);
});

test('spans that touch are one', () => {
  const spans = [
    { from: 1, to: 3 },
    { from: 3, to: 4 },
    { from: 6, to: 7 },
  ];
  expect(times(spans, { isOnline: false })).toEqual([
    [1, 4],
    [6, 7],
  ]);
});
