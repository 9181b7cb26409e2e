import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReceivingReply } from './incoming-replies.ts';

const bounds = { windowBytes: 100, stallMs: 5_000 };
const receive = (bytes: number) => new ReceivingReply({ head: {}, owner: 'owner', bytes }, bounds);
const bytesOf = (length: number, byte: number) => Buffer.alloc(length, byte);

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a reply is whole when each of its bytes has come, in their places', () => {
  const reply = receive(5);
  expect(reply.take(0, bytesOf(2, 1))).toBe(true);
  expect(reply.isWhole).toBe(false);
  expect(reply.take(2, bytesOf(3, 2))).toBe(true);
  expect(reply.isWhole).toBe(true);
  expect([...reply.body]).toEqual([1, 1, 2, 2, 2]);
});

test('a chunk that came before changes nothing', () => {
  const reply = receive(4);
  reply.take(0, bytesOf(2, 1));
  expect(reply.take(0, bytesOf(4, 9))).toBe(true);
  reply.take(2, bytesOf(2, 2));
  expect([...reply.body]).toEqual([1, 1, 2, 2]);
});

test.each([
  ['after a part that is missing', 3, 1],
  ['with more bytes than were announced', 2, 3],
])('a chunk %s is refused', (_what, offset, length) => {
  const reply = receive(4);
  reply.take(0, bytesOf(2, 1));
  expect(reply.take(offset, bytesOf(length, 9))).toBe(false);
  expect(reply.isWhole).toBe(false);
  expect(reply.take(2, bytesOf(2, 2))).toBe(true);
  expect([...reply.body]).toEqual([1, 1, 2, 2]);
});

test('the owner may send a window ahead, and never more than there is', () => {
  const reply = receive(250);
  expect(reply.needsAsking(0)).toBe(true);
  expect(reply.ask(0)).toBe(100);
  expect(reply.needsAsking(0)).toBe(false);
  reply.take(0, bytesOf(49, 1));
  expect(reply.needsAsking(0)).toBe(false);
  reply.take(49, bytesOf(1, 1));
  expect(reply.needsAsking(0)).toBe(true);
  expect(reply.ask(0)).toBe(150);
  reply.take(50, bytesOf(100, 1));
  expect(reply.ask(0)).toBe(250);
  reply.take(150, bytesOf(90, 1));
  // All of it was asked for.
  expect(reply.needsAsking(0)).toBe(false);
});

test('the owner is asked again when nothing came for a second, as the request may be lost', () => {
  const reply = receive(250);
  reply.ask(0);
  expect([reply.needsAsking(999), reply.needsAsking(1_000)]).toEqual([false, true]);
  reply.ask(1_000);
  expect([reply.needsAsking(1_999), reply.needsAsking(2_000)]).toEqual([false, true]);
});

test('a reply has stalled when nothing came for its time', () => {
  const reply = receive(250);
  vi.advanceTimersByTime(3_000);
  reply.take(0, bytesOf(10, 1));
  const now = performance.now();
  expect([reply.isStalled(now + 4_999), reply.isStalled(now + 5_000)]).toEqual([false, true]);
});
