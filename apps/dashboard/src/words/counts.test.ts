import { expect, it } from 'vitest';
import { browserCount, callCount, keyCount, sessionCount } from './counts.ts';
import { inMs } from './times.ts';

it.each([
  [browserCount, ['no browsers', '1 browser', '2 browsers']],
  [keyCount, ['no keys', '1 key', '2 keys']],
  [sessionCount, ['no sessions', '1 session', '2 sessions']],
  [callCount, ['0 calls', '1 call', '2 calls']],
])('a count is said in words: %o', (count, words) => {
  expect([count(0), count(1), count(2)]).toEqual(words);
});

it('many calls and long times are parted by thousands, and short times have a decimal', () => {
  expect(callCount(12_345)).toBe('12,345 calls');
  expect([9.94, 0, 10, 43.6, 1234.5].map(inMs)).toEqual(['9.9 ms', '0.0 ms', '10 ms', '44 ms', '1,235 ms']);
});
