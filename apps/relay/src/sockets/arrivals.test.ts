import { expect, test } from 'vitest';
import { createArrivals } from './arrivals.ts';
import type { ClientSocket } from './client-socket.ts';

const socket = { conn: 'conn' } as ClientSocket;

test('who waits for a socket gets it when it arrives, or nothing when it is refused', async () => {
  const arrivals = createArrivals(10);
  for (const settledWith of [socket, undefined]) {
    arrivals.expect('conn');
    const waiting = [1, 2].map(async () => arrivals.waitFor('conn'));
    expect(arrivals.has('conn')).toBe(true);
    arrivals.settle('conn', settledWith);
    expect(arrivals.has('conn')).toBe(false);
    expect(await Promise.all(waiting)).toEqual([settledWith, settledWith]);
    expect(arrivals.waitFor('conn')).toBeUndefined();
  }
});

test('only so many wait for a socket, and nobody for one that is not expected', () => {
  const arrivals = createArrivals(2);
  arrivals.expect('conn');
  const waiting = [1, 2, 3].map(() => arrivals.waitFor('conn'));
  expect(waiting.map((one) => one !== undefined)).toEqual([true, true, false]);
  expect(arrivals.waitFor('another')).toBeUndefined();
});
