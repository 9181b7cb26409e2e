import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { connectPair } from '../../../test/connect-pair.ts';
import { mostPerTurn } from '../../../test/most-per-turn.ts';
import { Inflow } from './inflow.ts';
import type { ThrottleStage, InflowLimits } from './inflow.ts';

const limits = {
  bytesPerSecond: 1_000,
  burstBytes: 5_000,
  framesPerSecond: 10,
  burstFrames: 20,
  patienceMs: 60_000,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(changed: Partial<InflowLimits> = {}) {
  const socket = {
    isPaused: false,
    pause: () => (socket.isPaused = true),
    resume: () => (socket.isPaused = false),
  };
  const stages: ThrottleStage[] = [];
  const inflow = new Inflow({
    ws: socket as unknown as WebSocket,
    limits: { ...limits, ...changed },
    onThrottle: (stage) => void stages.push(stage),
  });
  return { inflow, socket, stages };
}

test('a burst is read at once, and what is above it is paid for by waiting', () => {
  const { inflow, socket, stages } = setUp();
  inflow.countBytes(5_000);
  expect(socket.isPaused).toBe(false);
  inflow.countBytes(2_000);
  expect([socket.isPaused, inflow.isStopped]).toEqual([true, true]);
  vi.advanceTimersByTime(1_900);
  expect(socket.isPaused).toBe(true);
  vi.advanceTimersByTime(300);
  expect([socket.isPaused, inflow.isStopped]).toEqual([false, false]);
  expect(stages).toEqual(['begins']);
});

test('what no call waited for takes a quarter of the burst, and leaves the rest to answers', () => {
  const { inflow, socket } = setUp();
  inflow.countUnasked(1_250);
  inflow.countBytes(5_000);
  expect(socket.isPaused).toBe(false);
  inflow.countUnasked(1_000);
  expect(socket.isPaused).toBe(true);
  vi.advanceTimersByTime(900);
  expect(socket.isPaused).toBe(true);
  vi.advanceTimersByTime(300);
  expect(socket.isPaused).toBe(false);
});

test('frames count by themselves, however small', () => {
  const { inflow, socket } = setUp();
  for (let sent = 0; sent < 20; sent++) inflow.countUnasked(0);
  expect(socket.isPaused).toBe(false);
  inflow.countUnasked(0);
  expect(socket.isPaused).toBe(true);
});

test('what had been read when reading stopped is paid for too', () => {
  const { inflow, socket } = setUp();
  inflow.countBytes(6_000);
  inflow.countBytes(3_000);
  vi.advanceTimersByTime(3_900);
  expect(socket.isPaused).toBe(true);
  vi.advanceTimersByTime(400);
  expect(socket.isPaused).toBe(false);
});

test('reading that somebody else resumed stops again', () => {
  const { inflow, socket, stages } = setUp();
  inflow.countBytes(6_000);
  socket.resume();
  inflow.countBytes(1);
  expect(socket.isPaused).toBe(true);
  expect(stages).toEqual(['begins']);
});

test('a module within its rates is never throttled, however much it has sent in all', () => {
  const { inflow, stages } = setUp();
  for (let second = 0; second < 1_000; second++) {
    inflow.countBytes(1_000);
    for (let frame = 0; frame < 10; frame++) inflow.countUnasked(0);
    vi.advanceTimersByTime(1_000);
  }
  expect(stages).toEqual([]);
});

test('who sends more than a rate lets through is read at this rate', () => {
  const { inflow, socket } = setUp();
  let read = 0;
  for (let tick = 0; tick < 3_000; tick++) {
    for (let chunk = 0; chunk < 10 && !socket.isPaused; chunk++) {
      inflow.countBytes(500);
      read += 500;
    }
    vi.advanceTimersByTime(20);
  }
  expect(read).toBeGreaterThan(60 * limits.bytesPerSecond);
  expect(read).toBeLessThan(60 * limits.bytesPerSecond + 2 * limits.burstBytes);
});

test('only who goes on without a rest for all of the patience is given up', () => {
  const { inflow, socket, stages } = setUp({ patienceMs: 10_000 });
  const flood = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; vi.advanceTimersByTime(20)) {
      if (!socket.isPaused) inflow.countBytes(500);
    }
  };
  flood(9_000);
  expect(stages).not.toContain('too long');
  vi.advanceTimersByTime(3_000);
  flood(9_000);
  expect(stages).not.toContain('too long');
  expect(stages.filter((stage) => stage === 'begins')).toHaveLength(2);
  flood(6_000);
  expect(stages.filter((stage) => stage === 'too long')).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  expect(socket.isPaused).toBe(true);
});

/** How much empties the bucket, what leaves less than 100 ms refill once it is read again, and what empties it again. */
test.each<[string, number, [number, number, number], (inflow: Inflow, amount: number) => void]>([
  ['bytes', 1_150, [6_000, 145, 1_000], (inflow, bytes) => inflow.countBytes(bytes)],
  ['bytes of frames', 1_150, [2_250, 145, 1_000], (inflow, bytes) => inflow.countUnasked(bytes)],
  ['frames', 350, [21, 2, 2], (inflow, frames) => {
    for (let sent = 0; sent < frames; sent++) inflow.countUnasked(0);
  }],
])('a row of throttling for %s ends only when a tenth of a second is left of the rate', (_what, ms, amounts, send) => {
  const { inflow, stages } = setUp();
  const [first, next, last] = amounts;
  send(inflow, first);
  vi.advanceTimersByTime(ms);
  expect(inflow.isStopped).toBe(false);
  send(inflow, next);
  expect(inflow.isStopped).toBe(false);
  send(inflow, last);
  expect(stages).toEqual(['begins', 'goes on']);
}); // prettier-ignore

const fullRead = 65_536;
const wide = { burstBytes: 100 * fullRead };

test('after two full reads other sockets are served for a millisecond', () => {
  const { inflow, socket, stages } = setUp(wide);
  inflow.countBytes(fullRead);
  inflow.countBytes(fullRead - 1);
  expect(socket.isPaused).toBe(false);
  inflow.countBytes(fullRead);
  vi.advanceTimersByTime(0);
  expect([socket.isPaused, inflow.isStopped]).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect([socket.isPaused, inflow.isStopped]).toEqual([false, false]);
  // Each turn counts for itself.
  inflow.countBytes(fullRead);
  vi.advanceTimersByTime(0);
  inflow.countBytes(fullRead);
  expect([socket.isPaused, stages]).toEqual([false, []]);
});

test('a socket that is stopped for another reason is not read after that either', () => {
  const { inflow, socket } = setUp(wide);
  inflow.countBytes(fullRead);
  inflow.stop('replies');
  inflow.countBytes(fullRead);
  vi.advanceTimersByTime(1);
  expect(socket.isPaused).toBe(true);
  inflow.resume('replies');
  expect(socket.isPaused).toBe(false);
});

test('of what a module sends at once little is read in a turn of the event loop', async () => {
  vi.useRealTimers();
  const { near, far } = await connectPair();
  const inflow = new Inflow({
    ws: near as unknown as WebSocket,
    limits: { ...limits, ...wide },
    onThrottle: () => {},
  });
  let bytes = 0;
  near.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    inflow.countBytes(chunk.length);
  });
  const sent = 64 * fullRead;
  far.write(Buffer.alloc(sent));
  // Node may have read one more when it is told to stop.
  expect(await mostPerTurn(() => bytes, sent)).toBeLessThanOrEqual(3 * fullRead);
});
