import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLog,
  createReceiver,
  cut,
  feed,
  fragments,
  onTheWire,
  textFrame,
} from '../../../../test/sockets/wire/sent-frames.ts';
import type { Receiver, SentFrame } from '../../../../test/sockets/wire/sent-frames.ts';
import type { LargeTaker, Verdict } from './large-message.ts';
import { LargeReader } from './large-reader.ts';
import type { FrameReceiver } from './large-reader.ts';

const limits = { largeFrameBytes: 20, maxFrameBytes: 200 };
const maxFragments = 6;
const options = { maxPayload: limits.maxFrameBytes, maxFragments };

const emitTo = (receiver: Receiver): LargeTaker<Verdict> => ({
  judge: () => undefined,
  take: (message) => void receiver.emit('message', message, false),
  skipped: () => {},
});

/** What `ws` makes of the chunks alone, and with a reader that begins with one of them. */
async function readBoth(chunks: readonly Buffer[], beginsAt = 0) {
  const plain = createReceiver(options);
  const expected = createLog(plain);
  await feed(plain, chunks);
  const receiver = createReceiver(options);
  const log = createLog(receiver);
  const reader = new LargeReader(receiver, limits, maxFragments);
  await feed(receiver, chunks, (index) => index === beginsAt && reader.begin(emitTo(receiver)));
  return { expected, log };
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}

const open = (content: string) => textFrame(content, { isLast: false });
const more = (content: string, isLast = false) =>
  onTheWire({ opcode: 0, payload: Buffer.from(content), isLast });
const ping = onTheWire({ opcode: 9, payload: Buffer.from('p') });

const content = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom('a', '"', 'é', '😀'), maxLength: 40 }).map((it) => Buffer.from(it)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((it) => Buffer.from(it)) },
); // prettier-ignore
const mask = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((it) => Buffer.from(it));
const lengthBytes = fc.constantFrom(0, 0, 0, 2, 8);
const control = fc.record({
  opcode: fc.constantFrom(9, 10),
  payload: fc.string({ maxLength: 5 }).map((it) => Buffer.from(it)),
  mask,
});
const single = fc.record({ opcode: fc.constantFrom(1, 1, 1, 1, 1, 2), payload: content, mask, lengthBytes });
/** A message in several frames, with control frames between them. Its characters are cut as well. */
const fragmented = fc
  .tuple(fc.constantFrom(1, 1, 1, 2), content, fc.array(fc.nat(60), { maxLength: 7 }), control, fc.nat(8), mask)
  .map(([opcode, payload, places, between, at, mask]) => {
    const ends = [...places.map((place) => place % (payload.length + 1)), payload.length].sort((a, b) => a - b);
    const frames: SentFrame[] = ends.map((end, index) => ({
      opcode: index === 0 ? opcode : 0,
      payload: payload.subarray(ends[index - 1] ?? 0, end),
      isLast: index === ends.length - 1,
      mask,
    }));
    return frames.toSpliced(at, 0, between);
  }); // prettier-ignore
const well = fc.oneof(
  single.map((frame) => [frame]),
  control.map((frame) => [frame]),
  fragmented,
);
/** One frame of any kind, at any place: nearly always something that is forbidden. */
const anything = fc
  .record({
    opcode: fc.nat(15),
    payload: content,
    isLast: fc.boolean(),
    reserved: fc.constantFrom(0, 0, 0, 0, 1, 2, 4),
    isMasked: fc.constantFrom(true, true, true, true, false),
    claimed: fc.option(fc.constantFrom(0, 1, 125, 126, 200, 201, 65_536, 2 ** 40, Number.MAX_SAFE_INTEGER), { nil: undefined, freq: 5 }),
    mask,
    lengthBytes,
  })
  .map(({ claimed, ...frame }): SentFrame[] => [claimed === undefined ? frame : { ...frame, claimed }]); // prettier-ignore
const close = fc.constantFrom<SentFrame[]>(
  [{ opcode: 8, payload: Buffer.from([3, 232]) }],
  [{ opcode: 8, payload: Buffer.alloc(0) }],
);

const sequence = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: well },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: close },
  ),
  { minLength: 1, maxLength: 8 },
);

describe('whatever comes', () => {
  it('what arrives is what ws alone would emit, in the same order and with the same end', async () => {
    await fc.assert(
      fc.asyncProperty(
        sequence,
        fc.array(fc.nat(2_000), { maxLength: 12 }),
        fc.constantFrom(0, 0, 0, 1, 2, 5),
        async (messages, places, beginsAt) => {
          const bytes = Buffer.concat(messages.flat().map(onTheWire));
          const { expected, log } = await readBoth(cutAt(bytes, places), beginsAt);
          expect(log).toEqual(expected);
        },
      ),
      { numRuns: 1_000, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    );
  });

  it.each([
    ['a large frame between small ones', [textFrame('a'), textFrame('é'.repeat(70)), textFrame('b')]],
    ['a length in 64 bits', [textFrame('x'.repeat(30), { lengthBytes: 8 }), textFrame('b')]],
    ['fragments', [fragments('x'.repeat(50), 11), textFrame('b')]],
    ['fragments with a ping between them', [open('a'), ping, more('b'), more('c', true), textFrame('d')]],
    ['fragments and then a large frame', [fragments('x'.repeat(100), 90), textFrame('y'.repeat(100))]],
    ['fragments that begin anew', [open('a'), open('b')]],
    ['a message among fragments', [open('a'), textFrame('b')]],
    ['an end without a begin', [textFrame('a'), more('b', true)]],
    ['a close among fragments', [open('a'), onTheWire({ opcode: 8, payload: Buffer.from([3, 232]) })]],
    ['fragments that are too much together', [open('a'.repeat(150)), more('b'.repeat(51), true)]],
    ['too many fragments', [open('a'), ...Array.from({ length: 6 }, () => more('b')), textFrame('c')]],
    ['a frame that is too long', [textFrame('a'), textFrame('', { claimed: 201 })]],
    ['a frame that is far too long', [open('a'), textFrame('', { claimed: Number.MAX_SAFE_INTEGER })]],
    ['no mask', [textFrame('a'), textFrame('x'.repeat(30), { isMasked: false })]],
    ['reserved bits', [open('a'), onTheWire({ opcode: 0, payload: Buffer.from('b'), reserved: 4 })]],
    [
      'a large frame that is no text',
      [onTheWire({ opcode: 1, payload: Buffer.alloc(50, 0xff) }), textFrame('b')],
    ],
    [
      'no text in front of fragments',
      [onTheWire({ opcode: 1, payload: Buffer.of(0xff) }), fragments('abc', 1)],
    ],
  ])(
    'so it is with %s, in one chunk, byte by byte, and in two chunks of any length',
    async (_what, frames) => {
      const bytes = Buffer.concat(frames);
      const bytewise = await readBoth(cut(bytes, 1));
      expect(bytewise.log).toEqual(bytewise.expected);
      await Promise.all(
        Array.from(bytes, async (_byte, at) => {
          const { expected, log } = await readBoth(cutAt(bytes, [at]));
          expect(log).toEqual(expected);
          expect(log.length).toBeGreaterThan(0);
        }),
      );
    },
  );
});

describe('ws', () => {
  function setUp({ beginsLater }: { beginsLater?: Buffer } = {}) {
    const receiver = createReceiver(options);
    const passed: Buffer[] = [];
    const { write } = receiver;
    receiver.write = (chunk) => {
      passed.push(chunk);
      return write.call(receiver, chunk);
    };
    const reader = new LargeReader(receiver, limits, maxFragments);
    if (beginsLater) receiver.write(beginsLater);
    reader.begin(emitTo(receiver));
    return { receiver, passed, reader, log: createLog(receiver) };
  }

  it('gets small frames as the chunks that came, also one in several chunks', () => {
    const { receiver, passed } = setUp();
    const chunks = [
      textFrame('a'),
      ping,
      ...cut(textFrame('x'.repeat(20)), 9),
      Buffer.concat([textFrame('b'), ping]),
    ];
    for (const chunk of chunks) receiver.write(chunk);
    expect(passed).toHaveLength(chunks.length);
    for (const [index, chunk] of chunks.entries()) expect(passed[index]).toBe(chunk);
  });

  it('never sees large frames and fragments, and learns of none when they are whole', () => {
    const { receiver, passed, log } = setUp();
    for (const places of [[], [2], [8], [9], [13]])
      for (const part of cutAt(textFrame('x'.repeat(21), { lengthBytes: 8 }), places)) receiver.write(part);
    receiver.write(textFrame('x'.repeat(21)));
    receiver.write(
      Buffer.concat([textFrame('x'.repeat(21)), fragments('abc', 1), ping, fragments('abc', 2)]),
    );
    expect(passed.map((bytes) => bytes.length)).toEqual([ping.length]);
    expect(log).toHaveLength(10);
  });

  it('gets the rest of a message that began before the reader did, and no large one after it', () => {
    const { receiver, passed, log } = setUp({ beginsLater: open('a') });
    receiver.write(Buffer.concat([more('b'.repeat(30)), ping, more('c', true)]));
    const before = passed.length;
    receiver.write(Buffer.concat([textFrame('x'.repeat(21)), fragments('abc', 1)]));
    expect([before, passed.length, log.length]).toEqual([2, 2, 4]);
  });

  it('is heard when it has enough for now, whatever the reader takes of the same chunk', () => {
    const answers = [false, true, true, true];
    const receiver: FrameReceiver = { write: () => answers.shift() ?? true };
    const reader = new LargeReader(receiver, limits, maxFragments);
    reader.begin({ judge: () => undefined, take: () => {}, skipped: () => {} });
    const large = textFrame('x'.repeat(21));
    expect(receiver.write(Buffer.concat([ping, large, ping, large, ping]))).toBe(false);
    expect(receiver.write(Buffer.concat([ping, large]))).toBe(true);
  });

  it('gets all that follows once the reader has stopped', () => {
    const { receiver, passed, reader } = setUp();
    receiver.write(open('a'));
    reader.stop();
    receiver.write(fragments('abc', 1));
    expect(passed).toHaveLength(1);
  });
});
