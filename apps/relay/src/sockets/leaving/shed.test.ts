import { expect, it } from 'vitest';
import { excessOf } from './shed.ts';

const settings = { shedAbovePercent: 125, shedPerMinute: 120, shedLeastWorlds: 100 };
const serving = (...worlds: number[]) => worlds.map((count) => ({ worlds: count, isDraining: false }));

it.each([
  ['a new instance beside two full ones', 9_000, serving(9_000, 9_000, 0), 3_000],
  ['just above the bound', 126, serving(126, 74), 26],
  ['at the bound', 125, serving(125, 75), 0],
  ['below the mean', 0, serving(9_000, 0), 0],
  ['the only one', 9_000, serving(9_000), 0],
  ['one that nobody has reported with', 9_000, [], 0],
  ['few worlds', 99, serving(99, 0), 0],
  ['the other one drains: its worlds come here', 500, [...serving(500), { worlds: 0, isDraining: true }], 0],
])('%s: it has so many worlds too many', (_name, worlds, running, excess) => {
  expect(excessOf(worlds, running, settings)).toBe(excess);
});

it('the worlds of an instance that drains count for those that stay', () => {
  const running = [...serving(150, 0), { worlds: 150, isDraining: true }];
  expect(excessOf(150, running, settings)).toBe(0);
});

it('switched off it sheds nothing, and a bound below the mean counts as just above it', () => {
  expect(excessOf(9_000, serving(9_000, 0), { ...settings, shedAbovePercent: 0 })).toBe(0);
  expect(excessOf(500, serving(500, 500), { ...settings, shedAbovePercent: 1 })).toBe(0);
});
