import { expect, it } from 'vitest';
import { createChunkTaker, readChunk, writeChunk } from './chunks.ts';
import type { Chunk } from './chunks.ts';

const message = Buffer.concat(writeChunk(70_000, 131_072, Buffer.from('0123456789')));

it('a chunk is read as it was written', () => {
  const bytes = Buffer.from('0123456789');
  expect(readChunk(message)).toEqual({ callId: 70_000, offset: 131_072, bytes, messageBytes: 18 });
});

/** What is told of a message that is read in parts which end there. */
function takeParts(...ends: number[]) {
  const told: (Omit<Chunk, 'bytes'> & { bytes: string })[] = [];
  const taker = createChunkTaker((chunk) => told.push({ ...chunk, bytes: String(chunk.bytes) }));
  // The second message finds nothing of the first.
  for (let time = 0; time < 2; time++) {
    told.length = 0;
    taker.begin(message.length);
    for (const [index, end] of ends.entries()) taker.take(message.subarray(ends[index - 1] ?? 0, end));
  }
  return told;
}

const ofCall = { callId: 70_000 };

it('a chunk that is read in parts is told in parts, each with its place', () => {
  expect(takeParts(18)).toEqual([{ ...ofCall, offset: 131_072, bytes: '0123456789', messageBytes: 18 }]);
  expect(takeParts(3, 8, 11, 18)).toEqual([
    { ...ofCall, offset: 131_072, bytes: '012', messageBytes: 18 },
    { ...ofCall, offset: 131_075, bytes: '3456789', messageBytes: 0 },
  ]);
  expect(takeParts(7, 10, 18)).toEqual([
    { ...ofCall, offset: 131_072, bytes: '01', messageBytes: 18 },
    { ...ofCall, offset: 131_074, bytes: '23456789', messageBytes: 0 },
  ]);
});
