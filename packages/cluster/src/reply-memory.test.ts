import { expect, test, vi } from 'vitest';
import { freeBuffer, releaseOf } from './reply-memory.ts';

const megabyte = 1 << 20;

test('what is freed is gone at once, and nothing happens the second time', () => {
  const before = process.memoryUsage().arrayBuffers;
  const body = Buffer.allocUnsafeSlow(64 * megabyte);
  freeBuffer(body);
  expect(body).toHaveLength(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(megabyte);
  freeBuffer(body);
});

test('a buffer that may share its memory is left alone', () => {
  const memory = Buffer.alloc(100, 'a');
  const part = memory.subarray(10);
  freeBuffer(part);
  expect(String(part)).toBe('a'.repeat(90));
  const shared = Buffer.from(new SharedArrayBuffer(10));
  freeBuffer(shared);
  expect(shared).toHaveLength(10);
});

test.each([
  [true, 0],
  [false, 100],
])('a reply gives its room back, and is freed only where it has left (%s)', (hasLeft, length) => {
  const body = Buffer.alloc(100);
  const giveBack = vi.fn<() => void>();
  releaseOf(body, giveBack)(hasLeft);
  expect(giveBack).toHaveBeenCalledOnce();
  expect(body).toHaveLength(length);
});
