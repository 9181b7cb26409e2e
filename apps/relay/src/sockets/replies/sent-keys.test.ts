import { expect, test } from 'vitest';
import { SentKeys } from './sent-keys.ts';

const hour = 3_600_000;
const remembering = { remembers: 'memory' };
const sending = (reservedAt: number, key = 'k') => ({ key, reservedAt, isRepeat: false, memory: 'memory' });

test('a module is told when the first command under a key was reserved, however often it was sent', () => {
  const keys = new SentKeys();
  for (const at of [100, 200, 300]) {
    expect(keys.tellingOf(remembering, sending(at))).toEqual({
      key: 'k',
      reservedAt: 100,
      isRepeat: at > 100,
    });
    keys.add(sending(at));
  }
  expect(() => keys.tellingOf({}, { ...sending(400), memory: undefined })).toThrow('its answer never came');
});

test('after an hour a key stands for a new command', () => {
  const keys = new SentKeys();
  keys.add(sending(0));
  expect(keys.before(sending(hour - 1))).toBe(0);
  keys.add(sending(hour));
  expect(keys.before(sending(hour + 1))).toBe(hour);
});

test('a socket knows the last thousand keys that it was sent', () => {
  const keys = new SentKeys();
  for (let n = 0; n < 1_001; n++) keys.add(sending(n, `${n}`));
  const known = (n: number) => keys.before(sending(2_000, `${n}`));
  expect([known(0), known(1), known(1_000)]).toEqual([undefined, 1, 1_000]);
  // One that is sent again is the last one then.
  keys.add(sending(2_000, '1'));
  for (let n = 2_000; n < 2_999; n++) keys.add(sending(n, `${n}`));
  expect([known(1), known(1_000)]).toEqual([1, undefined]);
});
