import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(onPing: () => void = () => undefined) {
  const seen = { pings: 0, silent: 0 };
  const heartbeat = startHeartbeat({
    everyMs: 1_000,
    ping() {
      seen.pings += 1;
      onPing();
    },
    onSilent: () => void (seen.silent += 1),
  });
  return { seen, heartbeat };
}

test('a socket that answers no ping for two intervals is dead, once', () => {
  const { seen } = watch();
  vi.advanceTimersByTime(2_999);
  expect(seen).toEqual({ pings: 2, silent: 0 });
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ pings: 2, silent: 1 });
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

test('a stopped heartbeat neither pings nor gives up', () => {
  const { seen, heartbeat } = watch();
  heartbeat.stop();
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ pings: 0, silent: 0 });
});
