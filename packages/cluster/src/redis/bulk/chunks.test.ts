import { expect, it } from 'vitest';
import { readChunk, writeChunk } from './chunks.ts';

it('a chunk is read as it was written', () => {
  const chunk = { callId: 70_000, offset: 131_072, bytes: Buffer.from('0123456789') };
  const message = writeChunk(chunk);
  expect(message).toHaveLength(18);
  expect(readChunk(message)).toEqual(chunk);
});
