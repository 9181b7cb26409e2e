import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { connectPair } from '../../../test/connect-pair.ts';
import { mostPerTurn } from '../../../test/most-per-turn.ts';
import { createPaceEnd } from './pace-end.ts';

/** The near side is read, as that of an HTTP server is. */
async function connectRead() {
  const pair = await connectPair();
  pair.near.resume();
  return pair;
}

/** A connection that the far side has just ended, before anything but `readable` tells of it, and what is told later. */
async function endFromAfar() {
  const { near, far } = await connectRead();
  const told = vi.fn<() => void>();
  near.on('end', told);
  createPaceEnd()(near);
  far.end();
  while (near.readable) await nextTurn();
  return { near, told };
}

test('the end of a connection is known at once, and told in a later turn of the event loop', async () => {
  const { near, told } = await endFromAfar();
  expect([near.readableEnded, told.mock.calls.length]).toEqual([false, 0]);
  await expect.poll(() => told.mock.calls.length).toBe(1);
});

test('of many connections that end at once a few are told of in each turn', async () => {
  const paceEnd = createPaceEnd();
  const pairs = await Promise.all(Array.from({ length: 200 }, connectRead));
  let ended = 0;
  for (const { near } of pairs) {
    near.on('end', () => ended++);
    paceEnd(near);
  }
  for (const { far } of pairs) far.end();
  expect(await mostPerTurn(() => ended, pairs.length)).toBeLessThanOrEqual(64);
  expect(pairs.filter(({ near }) => near.readable)).toEqual([]);
});

test('what was sent before the end is read before it', async () => {
  const { near, far } = await connectRead();
  const read: string[] = [];
  near.on('data', (bytes: Buffer) => read.push(bytes.toString())).on('end', () => read.push('end'));
  createPaceEnd()(near);
  far.end('bye');
  await expect.poll(() => read).toEqual(['bye', 'end']);
});

test('a connection that breaks has ended', async () => {
  const { near, far } = await connectRead();
  const handled = vi.fn<() => void>();
  near.on('end', handled);
  createPaceEnd()(near);
  far.resetAndDestroy();
  while (near.readable) await nextTurn();
  await expect.poll(() => handled.mock.calls).toHaveLength(1);
});

test('a connection that was destroyed meanwhile is not told of', async () => {
  const { near, told } = await endFromAfar();
  near.destroy();
  for (const _turn of [1, 2, 3]) await nextTurn();
  expect(told).not.toHaveBeenCalled();
});
