import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { roundsPerPing } from './client-socket.ts';
import type { ClientSocket } from './client-socket.ts';
import { startHeartbeat } from './heartbeat.ts';

const pingEveryMs = 40_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const socket = { inflow: { isStopped: false }, quietRounds: 0, pings: 0, ping: () => void socket.pings++ };
  const silent: unknown[] = [];
  const clients = { all: () => [socket as unknown as ClientSocket].values() };
  const unanswered: unknown[] = [];
  const stop = startHeartbeat(clients, pingEveryMs, {
    onUnanswered: (one) => unanswered.push(one),
    onSilent: (one) => silent.push(one),
  });
  return { socket, silent, unanswered, stop };
}

test('a quiet socket is pinged once after its time, and given up after twice as long', () => {
  const { socket, silent, stop } = setUp();
  vi.advanceTimersByTime(pingEveryMs - 1);
  expect(socket.pings).toBe(0);
  vi.advanceTimersByTime(1);
  expect([socket.pings, silent]).toEqual([1, []]);
  vi.advanceTimersByTime(pingEveryMs - 1);
  expect([socket.pings, silent]).toEqual([1, []]);
  vi.advanceTimersByTime(1);
  expect([socket.pings, silent]).toEqual([1, [socket]]);
  stop();
  vi.advanceTimersByTime(pingEveryMs);
  expect(silent).toHaveLength(1);
});

test('a ping that is not answered for 2 s is told of once', () => {
  const { socket, unanswered } = setUp();
  vi.advanceTimersByTime(pingEveryMs + 1_999);
  expect(unanswered).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(unanswered).toEqual([socket]);
  vi.advanceTimersByTime(pingEveryMs / 2);
  expect(unanswered).toHaveLength(1);
});

test('a frame begins the time anew', () => {
  const { socket, silent } = setUp();
  vi.advanceTimersByTime(pingEveryMs - 1);
  socket.quietRounds = 0;
  vi.advanceTimersByTime(pingEveryMs - pingEveryMs / roundsPerPing);
  expect([socket.pings, silent]).toEqual([0, []]);
});

test('the silence of a socket that is not read does not count', () => {
  const { socket, silent } = setUp();
  vi.advanceTimersByTime(2 * pingEveryMs - 1);
  socket.inflow.isStopped = true;
  vi.advanceTimersByTime(3 * pingEveryMs);
  expect([socket.pings, silent]).toEqual([1, []]);
  socket.inflow.isStopped = false;
  vi.advanceTimersByTime(pingEveryMs);
  expect([socket.pings, silent]).toEqual([2, []]);
});
