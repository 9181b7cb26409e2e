import { expect, it } from 'vitest';
import { onTheWire, textFrame } from '../../../../test/sockets/wire/sent-frames.ts';
import { isOneTextFrame } from './frame-start.ts';

it.each([0, 5, 12, 100, 125, 126, 300, 65_535])(
  'a text frame of %i bytes is one, and neither a part of it nor with a byte more',
  (bytes) => {
    const frame = textFrame('x'.repeat(bytes));
    expect(isOneTextFrame(frame)).toBe(true);
    const parts = Array.from(
      { length: Math.min(frame.length, 400) },
      (_part, missing) => frame.length - missing - 1,
    );
    expect(parts.filter((length) => isOneTextFrame(frame.subarray(0, length)))).toEqual([]);
    expect(isOneTextFrame(Buffer.concat([frame, Buffer.of(0)]))).toBe(false);
  },
);

it.each([
  ['binary', onTheWire({ opcode: 2, payload: Buffer.from('x') })],
  ['the first of several', textFrame('x', { isLast: false })],
  ['without a mask', textFrame('x'.repeat(10), { isMasked: false })],
  ['a ping', onTheWire({ opcode: 9, payload: Buffer.from('x') })],
  ['longer than 64 KiB', textFrame('x'.repeat(65_536))],
])('a frame that is %s is left to those who look closer', (_what, frame) => {
  expect(isOneTextFrame(frame)).toBe(false);
});
