import * as fc from 'fast-check';
import { Command } from 'ioredis';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createCommand, lengthOf } from './large-command.ts';
import { joined } from '../../test/fakes/joined.ts';

const small = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
const large = fc.integer({ min: 16_000, max: 40_000 }).map((bytes) => Buffer.alloc(bytes, 'ä'));
const bytes = fc.oneof(small, large);
const args = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    bytes,
    fc.array(bytes, { minLength: 1, maxLength: 3 }),
  ),
  { maxLength: 6 },
);

/** What a command writes, as ioredis does it. */
function written(command: Command): Buffer {
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  stream.write(command.toWritable(stream));
  stream.uncork();
  return stream.read() as Buffer;
}

test('a command with large arguments writes what ioredis would write', () => {
  fc.assert(
    fc.property(args, (given) => {
      const plain = new Command('evalsha', given.map(joined), { replyEncoding: null });
      expect(written(createCommand('evalsha', given, null)).equals(written(plain))).toBe(true);
    }),
  );
});

test('a large part is not copied, and leaves with all else in one write', async () => {
  const writes: Buffer[][] = [];
  const stream = new PassThrough();
  stream._writev = (chunks, done) => {
    writes.push(chunks.map(({ chunk }) => chunk as Buffer));
    done();
  };
  const [head, body] = [Buffer.from('head'), Buffer.alloc(20_000)];
  stream.write(createCommand('publish', ['channel', [head, body]], 'utf8').toWritable(stream));
  await new Promise(process.nextTick);
  expect(writes).toHaveLength(1);
  expect(writes[0]?.[1]).toBe(body);
});

test('the length of bytes is that of all parts', () => {
  expect([lengthOf(Buffer.alloc(3)), lengthOf([Buffer.alloc(3), Buffer.alloc(4)])]).toEqual([3, 7]);
});
