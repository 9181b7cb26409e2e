import { expect, test } from 'vitest';
import { countdown, duration, elapsed, relativeTime } from './relative-time.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const s = 1000;
const day = 86_400 * s;

test.each([
  [0, 'just now'],
  [-9 * s, 'just now'],
  [-10 * s, '10 seconds ago'],
  [-34 * s, '30 seconds ago'],
  [-60 * s, '1 minute ago'],
  [-3 * 60 * s, '3 minutes ago'],
  [-89 * 60 * s, '1 hour ago'],
  [-3 * day, '3 days ago'],
  [-400 * day, '1 year ago'],
  [30 * day - 1, 'in 1 month'],
  [29 * day, 'in 29 days'],
])('%i ms away reads "%s"', (away, words) => {
  expect(relativeTime(now + away, now)).toBe(words);
});

test('a clock that is a little ahead of ours does not put the past into the future', () => {
  expect(relativeTime(now + 2 * s, now)).toBe('just now');
  expect(elapsed(now + 2 * s, now)).toBe('a moment');
});

test('what goes on is told without "ago"', () => {
  expect(elapsed(now - 3 * 60 * s, now)).toBe('3 minutes');
  expect(elapsed(now, now)).toBe('a moment');
});

test('a countdown shows whole seconds and stops at zero', () => {
  expect(countdown(600_000)).toBe('10:00');
  expect(countdown(61_001)).toBe('1:02');
  expect(countdown(-5)).toBe('0:00');
});

test('waiting is told in the unit that fits', () => {
  expect(duration(7)).toBe('7 seconds');
  expect(duration(660)).toBe('11 minutes');
  expect(duration(7200)).toBe('2 hours');
});
