import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(onPing: () => void = () => undefined, everyMs = 1_000) {
  const seen = { pings: 0, silent: 0 };
  const heartbeat = startHeartbeat({
    everyMs,
    ping() {
      seen.pings += 1;
      onPing();
    },
    onSilent: () => void (seen.silent += 1),
  });
  return { seen, heartbeat };
}

test('a socket that says nothing for twice the interval is dead, once', () => {
  const { seen } = watch();
  vi.advanceTimersByTime(1_999);
  expect(seen).toEqual({ pings: 1, silent: 0 });
  vi.advanceTimersByTime(1);
  expect(seen).toEqual({ pings: 1, silent: 1 });
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ pings: 1, silent: 1 });
});

test('twice the interval counts from the last frame', () => {
  const { seen, heartbeat } = watch();
  vi.advanceTimersByTime(900);
  heartbeat.heard();
  vi.advanceTimersByTime(1_999);
  expect(seen).toEqual({ pings: 1, silent: 0 });
  vi.advanceTimersByTime(1);
  expect(seen).toEqual({ pings: 1, silent: 1 });
});

test('any frame counts as life', () => {
  const { seen, heartbeat } = watch(() => heartbeat.heard());
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ pings: 60, silent: 0 });
});

test('a tab that slept through many intervals asks again before it gives the socket up', () => {
  const { seen, heartbeat } = watch();
  vi.advanceTimersByTime(1_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual({ pings: 2, silent: 0 });
  heartbeat.heard();
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual({ pings: 3, silent: 0 });
});

test('a tab whose timers always fire late gives a dead socket up all the same', () => {
  const { seen } = watch();
  for (let beat = 0; beat < 3; beat++) {
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(1_000);
  }
  expect(seen).toEqual({ pings: 2, silent: 1 });
});

test('a stopped heartbeat neither pings nor gives up', () => {
  const { seen, heartbeat } = watch();
  heartbeat.stop();
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ pings: 0, silent: 0 });
});

test('a page that wakes asks at once, and knows within five seconds', () => {
  const { seen, heartbeat } = watch(undefined, 20_000);
  vi.advanceTimersByTime(6_000);
  heartbeat.askNow();
  expect(seen).toEqual({ pings: 1, silent: 0 });
  vi.advanceTimersByTime(5_000);
  expect(seen).toEqual({ pings: 1, silent: 1 });
});

test('a page that wakes does not ask after what it heard just now', () => {
  const { seen, heartbeat } = watch(undefined, 20_000);
  vi.advanceTimersByTime(6_000);
  heartbeat.heard();
  heartbeat.askNow();
  expect(seen.pings).toBe(0);
});
