import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  createReceiver,
  cut,
  fragments,
  onTheWire,
  textFrame,
} from '../../../../test/sockets/wire/sent-frames.ts';
import type { LargeTaker, Verdict } from './large-message.ts';
import { LargeReader } from './large-reader.ts';

const megabyte = 1_000_000;
const limits = { largeFrameBytes: 262_144, maxFrameBytes: 16_777_216 };
const chunkBytes = 65_536;

function setUp(verdict?: Verdict) {
  const receiver = createReceiver({ maxPayload: limits.maxFrameBytes });
  const taker = {
    judge: vi.fn<LargeTaker<Verdict>['judge']>((part) => {
      heads.push(part.toString('latin1', 0, 10));
      judged.push(part.length);
      return verdict;
    }),
    take: vi.fn<LargeTaker<Verdict>['take']>(),
    skipped: vi.fn<LargeTaker<Verdict>['skipped']>(),
  };
  const heads: string[] = [];
  const judged: number[] = [];
  const reader = new LargeReader(receiver, limits);
  reader.begin(taker);
  const feed = (bytes: Buffer) => {
    for (const chunk of cut(bytes, chunkBytes)) receiver.write(chunk);
  };
  return { taker, heads, judged, reader, receiver, feed };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of buffers that are added while it runs. What the collector alone would free counts as well. */
function measureKept(run: () => void): number {
  collect();
  const before = process.memoryUsage().arrayBuffers;
  run();
  return process.memoryUsage().arrayBuffers - before;
}

const letters = (bytes: number) => 'abcdefghij'.repeat(bytes / 10);
const large = letters(15 * megabyte);

it.each([
  ['one frame', textFrame(large), chunkBytes],
  ['fragments', fragments(large, chunkBytes), limits.largeFrameBytes + chunkBytes],
])('of %s that nobody waits for nothing is kept, from its first part on', (_what, bytes, decidedBy) => {
  const verdict = { maxBytes: 0 };
  const { taker, heads, judged, feed } = setUp(verdict);
  feed(bytes.subarray(0, decidedBy + chunkBytes));
  expect([heads, judged]).toEqual([['abcdefghij'], [65_536]]);
  const kept = measureKept(() => feed(bytes.subarray(decidedBy + chunkBytes, -1)));
  expect(kept).toBeLessThan(0.2 * megabyte);
  expect(taker.skipped).not.toHaveBeenCalled();
  feed(bytes.subarray(-1));
  expect(taker.skipped.mock.calls).toEqual([[verdict, large.length]]);
  expect([taker.take, taker.judge].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  // The next message is judged for itself.
  feed(textFrame('next', { isLast: false }));
  feed(onTheWire({ opcode: 0, payload: Buffer.from('!') }));
  expect(taker.take.mock.calls.map(([message]) => String(message))).toEqual(['next!']);
});

it('a frame that only announces its size takes no more than four times what has come', () => {
  const bytes = textFrame(large);
  for (const sent of [100, 10_000, 200_000]) {
    const { feed } = setUp();
    expect(measureKept(() => feed(bytes.subarray(0, sent)))).toBeLessThan(4 * sent + 10_000);
  }
  // So it is seen where something is kept.
  expect(measureKept(() => setUp().feed(bytes))).toBeGreaterThan(14 * megabyte);
});

it('what is kept takes its size once, however it comes', () => {
  for (const bytes of [textFrame(large), fragments(large, chunkBytes)]) {
    const { taker, feed } = setUp({ maxBytes: Infinity });
    const kept = measureKept(() => feed(bytes));
    expect(kept).toBeLessThan(17.5 * megabyte);
    expect(taker.take.mock.calls.map(([message]) => message.equals(Buffer.from(large)))).toEqual([true]);
  }
});

it('what has come is copied in steps that are never long', () => {
  const chunks = cut(fragments(letters(16 * megabyte), chunkBytes), chunkBytes);
  const { receiver } = setUp();
  const rooms = vi.spyOn(Buffer, 'allocUnsafeSlow');
  onTestFinished(() => rooms.mockRestore());
  for (const chunk of chunks) receiver.write(chunk);
  const sizes = rooms.mock.calls.map(([size]) => size);
  const { maxFrameBytes } = limits;
  expect(sizes.slice(-3)).toEqual([maxFrameBytes / 16, maxFrameBytes / 4, maxFrameBytes]);
  expect(sizes.length).toBeLessThan(8);
});

it('a message is skipped as soon as its frames announce more than its verdict allows', () => {
  const verdict = { maxBytes: megabyte };
  const { taker, feed } = setUp(verdict);
  feed(fragments(letters(megabyte), 100_000));
  expect(taker.take.mock.calls[0]?.[0]).toHaveLength(megabyte);
  feed(fragments(letters(megabyte + 10), 100_000));
  expect(taker.skipped.mock.calls).toEqual([[verdict, megabyte + 10]]);
  feed(textFrame(letters(megabyte)));
  expect(taker.take).toHaveBeenCalledTimes(2);
  const begun = textFrame(letters(2 * megabyte)).subarray(0, 900_000);
  expect(measureKept(() => feed(begun))).toBeLessThan(0.2 * megabyte);
});

it('a message that is no larger than a small frame is not judged, in however many frames it comes', () => {
  const { taker, feed } = setUp({ maxBytes: 0 });
  feed(fragments(letters(262_140), 60_000));
  expect([taker.judge, taker.take].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});

it('where the first part decides nothing all is kept, and not looked at again', () => {
  const { taker, feed } = setUp();
  feed(textFrame(letters(megabyte)));
  expect([taker.judge, taker.take].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it('a message that comes whole is not judged by its first part', () => {
  const { taker, receiver } = setUp({ maxBytes: 0 });
  receiver.write(textFrame(letters(300_000)));
  expect([taker.judge, taker.take].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});

it('what has come is let go of when the connection ends', () => {
  const { taker, reader, feed } = setUp({ maxBytes: Infinity });
  const bytes = textFrame(large);
  const kept = measureKept(() => {
    feed(bytes.subarray(0, -1));
    reader.stop();
  });
  expect(kept).toBeLessThan(0.2 * megabyte);
  feed(bytes.subarray(-1));
  expect(taker.take).not.toHaveBeenCalled();
});

it.each([1, 2, 3, 5, 7])('text stays text where its characters are cut after %i bytes', (size) => {
  const { taker, feed } = setUp();
  const words = 'aé€😀'.repeat(20);
  feed(fragments(words, size));
  expect(taker.take.mock.calls.map(([message]) => String(message))).toEqual([words]);
});
